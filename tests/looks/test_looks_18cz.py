"""Every face of 18cz. A file of its own: workers share tests by file."""

from looks.every_face import EveryFace, in_each_language
from looks.faces import faces
from platelayer.scene.flatten import flatten_scene


class Test18CZ(EveryFace):
    title = "18cz"

    @in_each_language
    def test_names_are_of_one_size_on_both_sides(self, language):
        """The name of L6 was once larger on its back, which has fewer words."""
        drawn = faces(self.title, language)
        turned = [company for company in drawn.title.companies if company.used is not None]
        assert len(turned) == 18
        for company in turned:
            key, name = f"private:{company.id}", drawn.style.words(company.name)
            front, back = (
                {text.size_pt for text in flatten_scene(side)[1] if text.run.text == name}
                for side in (drawn.fronts[key][0], drawn.backs[key])
            )
            assert front == back != set()

"""Forms keep what they are not about: every entry of the shipped titles opened, simple fields
changed one by one."""

from __future__ import annotations

import pytest

from studio.conftest import copy_of, until
from studio.test_inspector import form

pytestmark = pytest.mark.slow

TITLES = ("18cz", "1841", "18eu", "1824", "lost-atlas")

WALK = """async (work) => {
  const { store } = await import('./static/js/store.js');
  const host = await import('./static/js/host.js');
  const { parsed, withValue, written } = await import('./static/js/json.js');
  const { tokens } = await import('./static/js/pointer.js');
  const pause = (ms) => new Promise((done) => setTimeout(done, ms));
  const find = (name) => document.querySelector(`.inspector select[aria-label="${name}"]`);
  const choose = async (name, value, at) => {
    find(name).value = value;
    find(name).dispatchEvent(new Event('change'));
    for (let n = 0; n < 4000; n += 1) {
      if (document.querySelector('.inspector .body').dataset.at === at) return;
      await pause(5);
    }
    throw new Error(`${name} ${value} is not shown`);
  };
  const source = (pointer) => {
    for (let at = pointer; ; at = at.slice(0, at.lastIndexOf('/'))) {
      const found = store.state.origins[at];
      if (found) return [found[0], found[1] + pointer.slice(at.length)];
    }
  };
  const whole = async (name) => parsed((await host.ask('values', { name, pointers: [''] })).texts[0]);
  const told = { opened: 0, fields: 0, wrong: [] };
  const each = async () => {
    told.opened += 1;
    for (const summary of document.querySelectorAll('.inspector details:not([open])')) summary.open = true;
    await pause(0);
    const typed = '.inspector .fields input[type="text"][data-at], .inspector textarea';
    const inputs = [...document.querySelectorAll(typed)];
    const numbers = inputs.filter((one) => one.className === 'number' && /^[0-9]+$/.test(one.value));
    if (work === 'nothing')
      for (const input of inputs) for (const event of ['input', 'change']) input.dispatchEvent(new Event(event));
    else for (const at of numbers.map((one) => one.dataset.at)) {
      if (told.fields >= work) return;
      const input = document.querySelector(`.inspector [data-at="${CSS.escape(at)}"]`);
      if (!input) continue;
      const [name, pointer] = source(at), before = await whole(name), value = Number(input.value) + 1;
      input.value = String(value);
      input.dispatchEvent(new Event('input'));
      input.dispatchEvent(new Event('change'));
      if (input.hasAttribute('aria-invalid')) continue;
      let after = before;
      for (let n = 0; n < 400 && written(after) === written(before); n += 1) {
        await pause(5);
        after = await whole(name);
      }
      if (written(after) !== written(withValue(before, tokens(pointer), value))) told.wrong.push(at);
      told.fields += 1;
      await host.undo();
      if (written(await whole(name)) !== written(before)) told.wrong.push(`${at} undone`);
      await pause(60);
    }
  };
  for (const section of [...find('Part of the title').options].map((one) => one.value)) {
    const path = section && `/${section}`;
    await choose('Part of the title', section, path);
    await each();
    for (const entry of [...(find('Entry')?.options || [])].map((one) => one.value).filter(Boolean)) {
      await choose('Entry', entry, `${path}/${entry}`);
      await each();
    }
  }
  await pause(700);
  return { ...told, undo: store.edits.undo };
}"""


@pytest.mark.parametrize("title", TITLES)
def test_a_form_that_is_only_looked_at_changes_no_byte(begin, page, tmp_path, title):
    folder = copy_of(title, tmp_path / title)
    before = {path: path.read_bytes() for path in folder.glob("*.json")}
    form(page, begin(folder))
    told = page.evaluate(WALK, "nothing")
    assert told["opened"] > 60
    assert told["undo"] is None
    page.keyboard.press("Control+s")
    until(lambda: {path: path.read_bytes() for path in folder.glob("*.json")} == before)


def test_a_field_changes_its_own_value_alone(begin, page, tmp_path):
    form(page, begin(copy_of("18eu", tmp_path / "18eu")))
    told = page.evaluate(WALK, 60)
    assert told["wrong"] == []
    assert told["fields"] == 60

// What the studio uses of CodeMirror, in one module.

export { ChangeSet, Compartment, EditorState } from "@codemirror/state";
export { collab, getSyncedVersion, receiveUpdates, sendableUpdates } from "@codemirror/collab";
export {
  EditorView, drawSelection, highlightActiveLine, highlightActiveLineGutter, hoverTooltip, keymap, lineNumbers,
} from "@codemirror/view";
export { defaultKeymap, indentWithTab } from "@codemirror/commands";
export {
  HighlightStyle, bracketMatching, foldGutter, foldKeymap, indentOnInput, syntaxHighlighting, syntaxTree, ensureSyntaxTree,
} from "@codemirror/language";
export { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap, startCompletion } from "@codemirror/autocomplete";
export { lintGutter, setDiagnostics } from "@codemirror/lint";
export { highlightSelectionMatches, openSearchPanel, searchKeymap } from "@codemirror/search";
export { json } from "@codemirror/lang-json";
export { tags } from "@lezer/highlight";

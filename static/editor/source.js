// The script editor: CodeMirror with Lua, as the page asks for it. `cargo xtask editor` bundles it into editor.js,
// which the page fetches where a script is edited.
import { history, historyKeymap, indentWithTab, standardKeymap, toggleComment } from "@codemirror/commands";
import { bracketMatching, HighlightStyle, indentOnInput, indentUnit, StreamLanguage, syntaxHighlighting } from "@codemirror/language";
import { lua } from "@codemirror/legacy-modes/mode/lua";
import { Compartment, EditorState, Prec, StateEffect, StateField } from "@codemirror/state";
import {
  Decoration, drawSelection, EditorView, highlightActiveLine, highlightSpecialChars, keymap, lineNumbers, WidgetType,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";

/** What Redis gives to a script beside Lua's own. */
const OF_REDIS = /^(?:redis(?:\.\w+)?|KEYS|ARGV|cjson(?:\.\w+)?|cmsgpack(?:\.\w+)?|bit(?:\.\w+)?|struct(?:\.\w+)?)$/;

const language = StreamLanguage.define({
  ...lua,
  token(stream, state) {
    // The first line of a library names it; to Lua it is no code.
    if (stream.sol() && stream.match(/^#!.*/)) return "meta";
    const style = lua.token(stream, state);
    return style === "variable" && OF_REDIS.test(stream.current()) ? "builtin" : style;
  },
});

/** Colours are those of the page: its variables know light and dark. */
const colours = HighlightStyle.define([
  { tag: tags.keyword, color: "var(--type-hash)", fontWeight: "600" },
  { tag: tags.string, color: "var(--good)" },
  { tag: tags.number, color: "var(--type-string)" },
  { tag: tags.comment, color: "var(--ink-soft)", fontStyle: "italic" },
  { tag: tags.standard(tags.variableName), color: "var(--type-stream)", fontWeight: "600" },
  { tag: tags.meta, color: "var(--type-set)" },
]);

const theme = EditorView.theme({
  "&": { height: "100%", backgroundColor: "var(--surface)", color: "var(--ink)" },
  "&.cm-focused": { outline: "2px solid var(--focus)", outlineOffset: "-2px" },
  ".cm-scroller": { fontFamily: "var(--face-code)", lineHeight: "1.55", overscrollBehavior: "contain" },
  ".cm-content": { caretColor: "var(--ink)", padding: "var(--space-2) 0" },
  ".cm-line": { padding: "0 var(--space-3)" },
  ".cm-cursor": { borderLeftColor: "var(--ink)" },
  ".cm-gutters": { backgroundColor: "transparent", border: "none", color: "var(--ink-faint)" },
  ".cm-activeLine": { backgroundColor: "color-mix(in oklab, var(--sunken) 55%, transparent)" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    backgroundColor: "color-mix(in oklab, var(--focus) 28%, transparent)",
  },
  "&.cm-focused .cm-matchingBracket": { backgroundColor: "var(--changed-wash)" },
  ".cm-line.editor-fault": { backgroundColor: "var(--bad-wash)", boxShadow: "inset 3px 0 0 var(--bad)" },
  ".editor-says": {
    backgroundColor: "var(--bad-wash)", boxShadow: "inset 3px 0 0 var(--bad)", color: "var(--bad)",
    fontFamily: "var(--face-text)", fontSize: "var(--size-small)", padding: "0 var(--space-3) var(--space-1)", whiteSpace: "pre-wrap",
  },
});

/** What the editor itself says to screen readers and in tooltips. */
const CHINESE = { "Control character": "控制字符", "Selection deleted": "已删除选中的文字" };

class Says extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }
  eq(other) {
    return other.text === this.text;
  }
  toDOM() {
    const node = document.createElement("div");
    node.className = "editor-says";
    node.dataset.testid = "editor-says";
    node.textContent = this.text;
    return node;
  }
}

/** The line of the last error and what it says; nothing when its text is empty. */
const mark = StateEffect.define();

const fault = StateField.define({
  create: () => Decoration.none,
  update(marked, transaction) {
    let next = marked.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(mark)) continue;
      const { line, text } = effect.value;
      const { doc } = transaction.state;
      if (!text || line < 1) {
        next = Decoration.none;
        continue;
      }
      // An error at the end of the text may name the line behind the last one.
      const at = doc.line(Math.min(line, doc.lines));
      next = Decoration.set([
        Decoration.line({ class: "editor-fault", attributes: { "data-testid": "editor-fault" } }).range(at.from),
        Decoration.widget({ widget: new Says(text), block: true, side: 1 }).range(at.to),
      ]);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/**
 * Puts an editor into `parent`. `most` is how many characters it takes. `tell(what, text)` hears of "text" (it is this
 * now), "run" (Ctrl+Enter) and "large" (a change was refused, it would have been too long).
 */
export function mount(parent, text, most, label, tell) {
  const name = new Compartment();
  const named = (label) => [
    EditorView.contentAttributes.of({ tabindex: "0", "aria-label": label, "data-testid": "script-text", spellcheck: "false", autocapitalize: "off" }),
    EditorState.phrases.of(document.documentElement.lang.startsWith("zh") ? CHINESE : {}),
  ];
  const isLarge = (event, data) => {
    const pasted = data?.getData("text/plain").length ?? 0;
    if (pasted <= most) return false;
    event.preventDefault();
    tell("large", "");
    return true;
  };
  const extensions = [
    name.of(named(label)),
    lineNumbers(), highlightSpecialChars(), history(), drawSelection(), highlightActiveLine(), bracketMatching(), indentOnInput(),
    indentUnit.of("  "), EditorState.tabSize.of(2), EditorView.lineWrapping,
    language, syntaxHighlighting(colours), theme, fault,
    EditorState.changeFilter.of((transaction) => {
      if (!transaction.docChanged || transaction.newDoc.length <= most) return true;
      tell("large", "");
      return false;
    }),
    EditorView.domEventHandlers({
      paste: (event) => isLarge(event, event.clipboardData),
      drop: (event) => isLarge(event, event.dataTransfer),
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged) tell("text", update.state.doc.toString());
    }),
    Prec.highest(keymap.of([{ key: "Mod-Enter", run: () => (tell("run", ""), true) }])),
    keymap.of([indentWithTab, { key: "Mod-/", run: toggleComment }, ...historyKeymap, ...standardKeymap]),
  ];
  const view = new EditorView({ state: EditorState.create({ doc: text, extensions }), parent });
  return {
    /** Another file: its text, without the history of the one before. */
    replace: (text) => view.setState(EditorState.create({ doc: text, extensions })),
    mark: (line, text) => view.dispatch({ effects: mark.of({ line, text }) }),
    label: (label) => view.dispatch({ effects: name.reconfigure(named(label)) }),
    /** Puts the cursor at the start of a line, counted from 1. */
    go: (line) => {
      const { doc } = view.state;
      view.dispatch({ selection: { anchor: doc.line(Math.max(1, Math.min(line, doc.lines))).from }, scrollIntoView: true });
      view.focus();
    },
    destroy: () => view.destroy(),
  };
}

export * from "../../editor.js";

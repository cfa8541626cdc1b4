// What ESLint asks of the studio's page and of what bundles its editor.

import js from "@eslint/js";
import globals from "globals";

const rules = {
  eqeqeq: ["error", "always", { null: "ignore" }],
  "array-callback-return": "error",
  "consistent-return": "error",
  "default-param-last": "error",
  "dot-notation": "error",
  "no-constructor-return": "error",
  "no-eval": "error",
  "no-implicit-coercion": "error",
  "no-implied-eval": "error",
  "no-loop-func": "error",
  "no-new-wrappers": "error",
  "no-param-reassign": "error",
  "no-promise-executor-return": "error",
  "no-return-assign": "error",
  "no-self-compare": "error",
  "no-shadow": "error",
  "no-throw-literal": "error",
  "no-unused-expressions": "error",
  "no-use-before-define": ["error", { functions: false, classes: false, variables: false }],
  "no-useless-concat": "error",
  "no-useless-rename": "error",
  "no-var": "error",
  "object-shorthand": "error",
  "prefer-const": ["error", { destructuring: "all" }],
  "prefer-template": "error",
  "require-await": "error",
  radix: "error",
};

export default [
  { linterOptions: { reportUnusedDisableDirectives: "error" } },
  { ...js.configs.recommended, rules: { ...js.configs.recommended.rules, ...rules } },
  { files: ["platelayer/**", "web/**"], languageOptions: { globals: globals.browser } },
  { files: ["studio_bundle/**", "web/*.mjs"], languageOptions: { globals: globals.node } },
];

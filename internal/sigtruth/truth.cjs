// Prints, for each TypeScript or JavaScript file named on stdin, what it
// declares, as one line of JSON: {"path", "declarations": [{"kind", "name",
// "first", "last"}]}. A file that the compiler cannot parse has null.
// The first argument is the folder with node_modules/typescript.
const fs = require("fs");
const path = require("path");
const ts = require(path.join(path.resolve(process.argv[2]), "node_modules", "typescript"));

function declarations(file) {
  const found = [];

  // Decorators and comments are not part of a declaration, "export" is.
  const start = (node) => {
    const modifier = node.modifiers?.find((m) => !ts.isDecorator(m));
    if (modifier) return modifier.getStart(file);
    const last = node.modifiers?.at(-1);
    return last ? ts.skipTrivia(file.text, last.end) : node.getStart(file);
  };
  const line = (offset) => file.getLineAndCharacterOfPosition(offset).line + 1;
  const add = (kind, name, scope, from, to) =>
    name === "_" ? undefined : found.push({ kind, name: scope + name, first: line(from), last: line(to - 1) });
  const isFunction = (node) => {
    while (node && (ts.isAsExpression(node) || ts.isSatisfiesExpression(node))) node = node.expression;
    return node && (ts.isArrowFunction(node) || ts.isFunctionExpression(node));
  };

  const bind = (pattern, kind, scope) => {
    for (const element of pattern.elements) {
      if (ts.isOmittedExpression(element)) continue;
      if (ts.isIdentifier(element.name)) add(kind, element.name.text, scope, element.name.getStart(file), element.name.end);
      else bind(element.name, kind, scope);
    }
  };

  const members = (node, scope) => {
    for (const member of node.members) {
      let name = member.name && (ts.isIdentifier(member.name) || ts.isPrivateIdentifier(member.name) || ts.isStringLiteral(member.name) || ts.isNumericLiteral(member.name)) ? member.name.text : undefined;
      if (ts.isConstructorDeclaration(member)) name = "constructor";
      if (name === undefined || name === "") continue;
      const method = ts.isMethodDeclaration(member) || ts.isAccessor(member) || ts.isConstructorDeclaration(member);
      if (method || (ts.isPropertyDeclaration(member) && isFunction(member.initializer)))
        add("method", name, scope, start(member), member.end);
    }
  };

  const visit = (node, scope, from) => {
    const at = from ?? start(node);
    if (ts.isFunctionDeclaration(node)) {
      add("function", node.name ? node.name.text : "default", scope, at, node.end);
    } else if (ts.isClassDeclaration(node)) {
      const name = node.name ? node.name.text : "default";
      add("class", name, scope, at, node.end);
      members(node, scope + name + ".");
    } else if (ts.isInterfaceDeclaration(node)) {
      add("interface", node.name.text, scope, at, node.end);
    } else if (ts.isTypeAliasDeclaration(node)) {
      add("type", node.name.text, scope, at, node.end);
    } else if (ts.isEnumDeclaration(node)) {
      add("enum", node.name.text, scope, at, node.end);
    } else if (ts.isModuleDeclaration(node)) {
      let name = node.name.text;
      let body = node.body;
      while (body && ts.isModuleDeclaration(body)) {
        name += "." + body.name.text;
        body = body.body;
      }
      add("module", name, scope, at, node.end);
      if (body) body.statements.forEach((s) => visit(s, scope + name + "."));
    } else if (ts.isExportAssignment(node)) {
      const value = node.expression;
      if (node.isExportEquals) return;
      if (ts.isIdentifier(value)) add("export", value.text, scope, at, node.end);
      else if (isFunction(value)) add("function", "default", scope, at, node.end);
      else if (ts.isClassExpression(value)) {
        add("class", "default", scope, at, node.end);
        members(value, scope + "default.");
      }
    } else if (ts.isVariableStatement(node)) {
      const kind = node.declarationList.flags & ts.NodeFlags.Const ? "constant" : "variable";
      node.declarationList.declarations.forEach((d, i) => {
        if (!ts.isIdentifier(d.name)) return bind(d.name, kind, scope);
        const first = i === 0 ? at : d.getStart(file);
        const value = d.initializer;
        if (value && ts.isClassExpression(value)) {
          add("class", d.name.text, scope, first, d.end);
          members(value, scope + d.name.text + ".");
        } else add(isFunction(value) ? "function" : kind, d.name.text, scope, first, d.end);
      });
    }
  };
  file.statements.forEach((s) => visit(s, ""));
  return found;
}

for (const name of fs.readFileSync(0, "utf8").split("\n").filter(Boolean)) {
  const file = ts.createSourceFile(name, fs.readFileSync(name, "utf8"), ts.ScriptTarget.Latest, true);
  const found = file.parseDiagnostics.length === 0 ? declarations(file) : null;
  console.log(JSON.stringify({ path: name, declarations: found }));
}

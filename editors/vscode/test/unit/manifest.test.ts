import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import manifest from '../../package.json';

const { contributes } = manifest;
const source = readdirSync('src')
  .map((name) => readFileSync(`src/${name}`, 'utf8'))
  .join('\n');
const readme = readFileSync('README.md', 'utf8');
const hidden = new Set(
  contributes.menus.commandPalette.filter((item) => item.when === 'false').map((item) => item.command),
);

test('the commands of the manifest are those that are registered', () => {
  const registered = [...source.matchAll(/\bcommand\('(acode\.[\w.]+)'/g)].map((match) => match[1]);
  assert.deepEqual(registered.sort(), contributes.commands.map(({ command }) => command).sort());
});

test('no command has the name of one of the server, which the client registers', () => {
  for (const { command } of contributes.commands) {
    assert.match(command, /^acode\.\w+\.\w+$/, 'names of the server have one dot');
  }
});

test('the settings of the manifest are those that are used', () => {
  for (const key of Object.keys(contributes.configuration.properties)) {
    const name = key.replace('acode.', '');
    assert.ok(source.includes(`'${name}'`), `${key} is not used`);
    assert.ok(readme.includes(`| \`${key}\` |`), `README.md does not name ${key}`);
  }
});

test('the colours of the manifest are those that are used', () => {
  for (const { id } of contributes.colors) {
    assert.ok(source.includes(`'${id}'`), `${id} is not used`);
    assert.ok(readme.includes(`| \`${id}\` |`), `README.md does not name ${id}`);
  }
});

test('the page names the commands a person finds', () => {
  for (const { command, title } of contributes.commands) {
    assert.equal(readme.includes(`| Acode: ${title} |`), !hidden.has(command), title);
  }
});

test('the tools of the manifest are those that are registered', () => {
  const registered = [...source.matchAll(/tool<\w+>\(\s*'(\w+)'/g)].map((match) => match[1]);
  assert.deepEqual(registered.sort(), contributes.languageModelTools.map(({ name }) => name).sort());
});

test('what the walkthrough shows is there', () => {
  for (const { media } of contributes.walkthroughs.flatMap(({ steps }) => steps)) {
    assert.match(readFileSync(media.svg, 'utf8'), /^<svg /, media.svg);
  }
});

// The page of a VS Code window, in the words of its user.
import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { patience, until } from './until.ts';

/** A line of an editor as it is drawn. */
export interface DrawnLine {
  /** 1-based. */
  number: number;
  text: string;
  /** The least opacity at which any of its text is drawn. */
  opacity: number;
  /** Classes that decorations put on its text, its background and its margins. */
  inline: string[];
  whole: string[];
  margin: string[];
  /** What is drawn behind the whole line, and as a bar at its start: CSS colours, '' for none. */
  background: string;
  bar: string;
  /** Text that decorations put after it. */
  after: string;
}

/** What the overview ruler shows: a colour and where, as fractions of its height. */
export interface RulerMark {
  colour: [red: number, green: number, blue: number];
  top: number;
  bottom: number;
}

export class Workbench {
  readonly page: Page;
  readonly root: string;
  /** What the page wrote to its console. */
  readonly console: string[] = [];

  constructor(page: Page, root: string) {
    this.page = page;
    this.root = root;
    page.setDefaultTimeout(patience);
    page.on('console', (message) => this.console.push(`${message.type()}: ${message.text()}`));
    page.on('pageerror', (error) => this.console.push(`pageerror: ${error.stack ?? error.message}`));
  }

  /** Opens folder or workspace file at the server, and awaits a window whose extensions run. */
  async load(origin: string, parameters: Record<string, string> = { folder: this.root }): Promise<void> {
    await this.page.goto(`${origin}/?${new URLSearchParams(parameters).toString()}`);
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 4 * patience });
    if (parameters['workspace'] === undefined) return;
    // VS Code at times reads a workspace file before it can, and then has no folders.
    const folders = this.page.locator('.explorer-folders-view .monaco-list-row');
    await until('the folders are there', async () => {
      await folders
        .first()
        .waitFor({ timeout: patience / 3 })
        .catch(() => this.page.reload());
      return (await folders.count()) > 0;
    }, 4 * patience);
  }

  /** Reloads the window in an orderly way: what extensions remember is written first. */
  async reload(): Promise<void> {
    const loaded = this.page.waitForEvent('load', { timeout: 4 * patience });
    await this.command('Developer: Reload Window');
    await loaded;
    await this.page.locator('.monaco-workbench .part.statusbar').waitFor({ timeout: 4 * patience });
  }

  // Commands and quick picks

  get quickInput(): Locator {
    return this.page.locator('.quick-input-widget:visible');
  }

  quickRows(): Locator {
    return this.quickInput.locator('.quick-input-list .monaco-list-row');
  }

  /** Runs a command by its title in the command palette, such as "View: Show Explorer". */
  command(title: string): Promise<void> {
    return this.choose('F1', `>${title}`, title);
  }

  /**
   * Opens a quick pick by a key, types, and chooses the entry of this label.
   * A pick knows what VS Code knew when it was opened, so it is opened until
   * it has the entry.
   */
  private async choose(key: string, text: string, label: string): Promise<void> {
    const name = this.page.locator('.label-name', { hasText: new RegExp(`^${escape(label)}$`) });
    const row = this.quickRows().filter({ has: name }).first();
    await until(`"${label}" is offered`, async () => {
      await this.page.keyboard.press(key);
      await this.quickInput.locator('input').fill(text);
      if (await appears(row)) {
        await row.click();
        return true;
      }
      await this.page.keyboard.press('Escape');
      return false;
    });
  }

  /** Whether the command palette offers a command of this title. */
  async offers(title: string): Promise<boolean> {
    await this.page.keyboard.press('F1');
    await this.quickInput.locator('input').fill(`>${title}`);
    await this.quickRows().first().waitFor();
    const labels = await this.quickRows().locator('.label-name').allInnerTexts();
    await this.page.keyboard.press('Escape');
    return labels.includes(title);
  }

  /** Chooses the entry of an open quick pick whose label matches. */
  async pick(label: string | RegExp): Promise<void> {
    await this.quickRows().filter({ hasText: label }).first().click();
  }

  /** Answers an open input box. */
  async answer(text: string): Promise<void> {
    const input = this.quickInput.locator('input.input');
    await input.fill(text);
    await input.press('Enter');
  }

  /** Takes what an open input box proposes, and returns what the pattern captures of it. */
  async accept(proposal: RegExp): Promise<string> {
    const input = this.quickInput.locator('input.input');
    const name = await until(`${proposal} in the input box`, async () => proposal.exec(await input.inputValue())?.[1]);
    await input.press('Enter');
    return name;
  }

  // Editors

  /** Opens a file of the workspace by quick open. */
  async open(path: string): Promise<void> {
    const name = path.split('/').at(-1) ?? path;
    await this.choose('Control+P', path, name);
    await this.page.locator(`.tabs-container .tab.active[data-resource-name="${name}"]`).waitFor();
    await this.editor(name).locator('.view-line').first().waitFor();
  }

  tab(name: string): Locator {
    return this.page.locator(`.tabs-container .tab[data-resource-name="${name}"]`);
  }

  tabs(): Promise<string[]> {
    return this.page
      .locator('.tabs-container .tab')
      .evaluateAll((tabs) => tabs.map((tab) => tab.getAttribute('data-resource-name') ?? ''));
  }

  async closeTabs(): Promise<void> {
    await this.command('View: Close All Editors');
    await until('no tab is open', async () => (await this.tabs()).length === 0);
  }

  /** The visible editor of a document, by the end of its URI. */
  editor(end: string): Locator {
    return this.page.locator(`.editor-group-container .monaco-editor[data-uri$="${end}"]`);
  }

  /** Puts the cursor on a line, 1-based, and shows it. */
  async goTo(line: number, column = 1): Promise<void> {
    await this.page.keyboard.press('Control+G');
    const input = this.quickInput.locator('input');
    await until('the box asks for a line', async () => (await input.inputValue()).startsWith(':'));
    await input.fill(`:${line}:${column}`);
    // Enter takes what is offered, which may still be for what the box held before.
    const offer = new RegExp(`\\b${line}\\b`);
    await until('the box offers the line', async () => offer.test(await this.quickRows().first().innerText()));
    await input.press('Enter');
    await this.quickInput.waitFor({ state: 'hidden' });
    await this.status(`Ln ${line}, `).waitFor();
    // Keys that come before the editor has the focus again are lost.
    await this.page.locator('.editor-group-container .monaco-editor.focused').first().waitFor();
  }

  /** The lines of an editor that are drawn now. */
  async lines(end: string): Promise<DrawnLine[]> {
    const editor = this.editor(end).first();
    if (!(await editor.isVisible())) return [];
    return editor.evaluate(
      (editor) => {
        const top = (element: Element) => Math.round(Number.parseFloat((element as HTMLElement).style.top));
        const classes = (element: Element) => [...element.classList];
        const rows = new Map<number, Element[]>();
        const add = (element: Element, at = top(element)) => rows.set(at, [...(rows.get(at) ?? []), element]);
        for (const element of editor.querySelectorAll(
          '.margin-view-overlays > div, .view-overlays > div, .view-lines > .view-line',
        ))
          add(element);
        const glyphs = [...editor.querySelectorAll('.glyph-margin-widgets > .cgmr')];
        const lines: DrawnLine[] = [];
        for (const [at, elements] of rows) {
          const find = (selector: string) =>
            elements.flatMap((element) => [...element.querySelectorAll(selector)]);
          const line = elements.find((element) => element.classList.contains('view-line'));
          const number = Number(find('.line-numbers')[0]?.textContent);
          if (!line || !number) continue;
          const spans = [...line.querySelectorAll('span > span')];
          const opacities = spans
            .filter((span) => span.textContent?.trim())
            .map((span) => Number(getComputedStyle(span).opacity));
          const whole = find('.cdr');
          const styles = whole.map((element) => getComputedStyle(element));
          const painted = styles
            .map((style) => style.backgroundColor)
            .filter((colour) => colour !== 'rgba(0, 0, 0, 0)');
          const bars = styles
            .filter((style) => Number.parseFloat(style.borderLeftWidth) > 0)
            .map((style) => style.borderLeftColor);
          const pseudo = spans
            .flatMap((span) => ['::before', '::after'].map((which) => getComputedStyle(span, which).content))
            .filter((content) => content.startsWith('"'))
            .map((content) => content.slice(1, -1));
          lines.push({
            number,
            text: (line.textContent ?? '').replaceAll('\u00a0', ' '),
            opacity: Math.min(1, ...opacities),
            inline: spans.flatMap(classes),
            whole: whole.flatMap(classes),
            margin: [...find('.cldr, .cmdr'), ...glyphs.filter((glyph) => top(glyph) === at)].flatMap(
              classes,
            ),
            background: painted[0] ?? '',
            bar: bars[0] ?? '',
            after: pseudo.join('').replaceAll('\u00a0', ' '),
          });
        }
        return lines.sort((a, b) => a.number - b.number);
      },
      undefined,
      { timeout: 1000 },
    );
  }

  /** A drawn line, once it is drawn. */
  line(end: string, number: number): Promise<DrawnLine> {
    return until(`line ${number} of ${end} is drawn`, async () =>
      (await this.lines(end)).find((line) => line.number === number),
    );
  }

  /** Shows and reads the lines first to last, whatever fits on the screen. */
  async linesAround(end: string, line: number): Promise<DrawnLine[]> {
    await this.goTo(line);
    await this.line(end, line);
    return this.lines(end);
  }

  /** The drawn text of an editor. */
  async text(end: string): Promise<string> {
    return (await this.lines(end)).map(({ text }) => text).join('\n');
  }

  /** What the overview ruler of an editor shows. */
  ruler(end: string): Promise<RulerMark[]> {
    return this.editor(end)
      .locator('canvas.decorationsOverviewRuler')
      .first()
      .evaluate((element) => {
        const canvas = element as HTMLCanvasElement;
        const { width, height } = canvas;
        const data =
          canvas.getContext('2d')?.getImageData(0, 0, width, height).data ?? new Uint8ClampedArray();
        const marks: RulerMark[] = [];
        // Decorations are drawn in lanes: columns at a sixth, a half and five sixths.
        for (const x of [1 / 6, 1 / 2, 5 / 6].map((part) => Math.floor(part * width))) {
          let open: RulerMark | undefined;
          for (let y = 0; y < height; y++) {
            const [red = 0, green = 0, blue = 0, alpha = 0] = data.slice(
              4 * (y * width + x),
              4 * (y * width + x) + 4,
            );
            const same =
              open && open.colour[0] === red && open.colour[1] === green && open.colour[2] === blue;
            if (alpha === 0) {
              open = undefined;
            } else if (open && same) {
              open.bottom = (y + 1) / height;
            } else {
              open = { colour: [red, green, blue], top: y / height, bottom: (y + 1) / height };
              marks.push(open);
            }
          }
        }
        return marks;
      });
  }

  codeLenses(end: string): Promise<string[]> {
    return this.editor(end).locator('.codelens-decoration').allInnerTexts();
  }

  /** The hover at a line of the focused editor. */
  async hover(line: number, column = 1): Promise<string> {
    await this.goTo(line, column);
    const hover = this.page.locator('.monaco-hover:visible');
    // One that is shown while the editor is still laid out goes away again.
    return until('the hover has loaded', async () => {
      if ((await hover.count()) === 0) {
        await this.page.keyboard.press('Control+K');
        await this.page.keyboard.press('Control+I');
        await hover.first().waitFor({ timeout: 3000 });
      }
      const now = plain((await hover.allInnerTexts()).join('\n'));
      return now.trim() !== '' && !/^\s*Loading\.{3}\s*$/.test(now) && now;
    });
  }

  /** How many matches the find widget counts for a text in the focused editor, such as "1 of 7". */
  async find(text: string): Promise<string> {
    await this.page.keyboard.press('Control+F');
    const widget = this.page.locator('.find-widget.visible');
    await widget.locator('.find-part textarea').first().fill(text);
    const count = await until('matches are counted', async () => {
      const shown = plain(await widget.locator('.matchesCount').innerText());
      return /\d+ of \d+|No results/.test(shown) && shown;
    });
    await this.page.keyboard.press('Escape');
    return count;
  }

  /** Types at the cursor, as a person does. */
  type(text: string): Promise<void> {
    return this.page.keyboard.type(text);
  }

  async undo(): Promise<void> {
    await this.page.keyboard.press('Control+Z');
  }

  async save(): Promise<void> {
    await this.page.keyboard.press('Control+S');
  }

  async isDirty(name: string): Promise<boolean> {
    return (await this.tab(name).first().getAttribute('class'))?.split(' ').includes('dirty') ?? false;
  }

  // Around the editors

  /** The entries of the status bar that match, by their label for screen readers or text. */
  status(text: string | RegExp): Locator {
    return this.page.locator('.part.statusbar .statusbar-item').filter({ hasText: text });
  }

  /** A section of a side bar or panel, by its title; opens it if it is closed. */
  async section(title: string): Promise<Locator> {
    const section = this.page.locator('.pane').filter({
      has: this.page.locator('.pane-header h3.title', { hasText: new RegExp(`^${escape(title)}$`, 'i') }),
    });
    await section.waitFor();
    const header = section.locator('.pane-header');
    if ((await header.getAttribute('aria-expanded')) === 'false') await header.click();
    return section;
  }

  /** The rows of a section that are drawn now. */
  async rows(section: Locator): Promise<{ label: string; description: string; level: number }[]> {
    return section.locator('.monaco-list-row').evaluateAll((rows) =>
      rows.map((row) => ({
        label: (row.querySelector('.label-name')?.textContent ?? '').replaceAll('\u00a0', ' '),
        description: (row.querySelector('.label-description')?.textContent ?? '').replaceAll('\u00a0', ' '),
        level: Number(row.getAttribute('aria-level')),
      })),
    );
  }

  /** A row of a section by its label. */
  row(section: Locator, label: string | RegExp): Locator {
    const exact = typeof label === 'string' ? new RegExp(`^${escape(label)}$`) : label;
    return section
      .locator('.monaco-list-row')
      .filter({ has: this.page.locator('.label-name', { hasText: exact }) });
  }

  async expand(row: Locator): Promise<void> {
    if ((await row.getAttribute('aria-expanded')) === 'false')
      await row.locator('.monaco-tl-twistie').click();
    await until('the row is expanded', async () => (await row.getAttribute('aria-expanded')) === 'true');
  }

  /** Clicks a button that a row or a title shows while the pointer is over it. */
  async action(over: Locator, label: string | RegExp): Promise<void> {
    await over.hover();
    await over.getByRole('button', { name: label }).first().click();
  }

  /** Chooses an entry of an element's context menu. */
  async menu(over: Locator, label: string | RegExp): Promise<void> {
    await over.click({ button: 'right' });
    const exact = typeof label === 'string' ? new RegExp(`^${escape(label)}$`) : label;
    const entry = this.page
      .locator('.monaco-menu .action-item')
      .filter({ has: this.page.locator('.action-label', { hasText: exact }) });
    // A menu that has just opened ignores the mouse's button, so as not to take the click that opened it.
    await entry.first().hover();
    await this.page.keyboard.press('Enter');
  }

  /** A notification that matches. */
  notification(text: string | RegExp): Locator {
    return this.page.locator('.notifications-toasts .notification-list-item').filter({ hasText: text });
  }

  async press(notification: Locator, button: string): Promise<void> {
    await notification.getByRole('button', { name: button, exact: true }).click();
  }

  async clearNotifications(): Promise<void> {
    await this.command('Notifications: Clear All Notifications');
  }

  /** A modal dialog that matches. */
  dialog(text: string | RegExp): Locator {
    return this.page.locator('.monaco-dialog-box').filter({ hasText: text });
  }

  async screenshot(path: string): Promise<void> {
    mkdirSync(dirname(path), { recursive: true });
    await this.page.screenshot({ path });
  }
}

/** Text as a person reads it: VS Code draws spaces as no-break spaces. */
export function plain(text: string): string {
  return text.replaceAll('\u00a0', ' ');
}

/** Whether something is there within the time in which VS Code fills a list. */
async function appears(locator: Locator): Promise<boolean> {
  try {
    await locator.waitFor({ timeout: 1000 });
    return true;
  } catch {
    return false;
  }
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

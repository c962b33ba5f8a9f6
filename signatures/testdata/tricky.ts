// Each line on which a declaration starts names it behind "//=".
import { a } from "./a";
import type { B } from "./b";
export { a };
export * from "./c";
export * as d from "./d";

/* function commented() {} */
// class AlsoCommented {}
/** @example
 * class Documented {}
 */

const text = "class InString {}"; //= const text
const single = 'function inString() {} \' "'; //= const single
const template = ` //= const template
class InTemplate {}
${nested(`function inner() {} ${"}"}`)}
export function stillInTemplate() {}
`;
const pattern = /class "InRegex" {`/g; //= const pattern
const ratio = 1 / 2 / 3; //= const ratio

function plain(): void {} //= function plain()
export function exported() {} //= function exported()
export async function fetchAll() { //= function fetchAll()
  const local = 1;
  function nested() {}
  class Local {}
}
function* generate() {} //= function generate()
export default AuthProvider; //= export default AuthProvider

function overloaded(x: string): string; //= function overloaded()
function overloaded(x: number): number; //= function overloaded()
function overloaded(x: unknown) { //= function overloaded()
  return x;
}

const arrow = () => {}; //= const arrow()
export const typed = async <T,>(x: T): Promise<T> => x; //= const typed()
let expression = function () {}; //= let expression()
var old = 1, second = () => {}; //= var old, var second()
export const { left, right: [middle], ...others } = source; //= const left, const middle, const others
const klass = class { //= const klass
  inside() {} //= method klass.inside()
};

@Component({ selector: "class X {}" })
export class Decorated<T extends { a: string }> extends Base<T> implements I { //= class Decorated
  private count = 0;
  static #secret = () => 1; //= method Decorated.#secret()
  handler = async () => {}; //= method Decorated.handler()
  constructor(private readonly x: string) { //= method Decorated.constructor()
    super();
  }
  get value() { return 1; } //= method Decorated.value()
  set value(v) {} //= method Decorated.value()
  @Input() name: string;
  @HostListener("click")
  onClick() {} //= method Decorated.onClick()
  async *stream<U>(this: Decorated<U>): AsyncGenerator<U> {} //= method Decorated.stream()
  over(a: string): void; //= method Decorated.over()
  over(a: unknown) {} //= method Decorated.over()
  ["computed"]() {}
  "quoted"() {} //= method Decorated.quoted()
  #hidden() {} //= method Decorated.#hidden()
  static { const inStatic = 1; }
}

export abstract class Shape { //= class Shape
  abstract area(): number; //= method Shape.area()
}

export interface Options<T = {}> { //= interface Options
  method(): void;
  callback: () => void;
}
type Alias<T> = { [K in keyof T]: T[K] }; //= type Alias
export type Conditional<T> = T extends `class ${infer X} {}` ? X : never; //= type Conditional
enum Color { Red = "function", Green } //= enum Color
export const enum Flags { A = 1 << 0 } //= enum Flags
declare const VERSION: string; //= const VERSION
declare let mutable: number; //= let mutable
declare function ambient(): void; //= function ambient()
declare class Ambient { m(): void } //= class Ambient, method Ambient.m()

declare module "pkg" { //= module pkg
  export function inModule(): void; //= function pkg.inModule()
  interface Deep { x: 1 } //= interface pkg.Deep
}
declare global { //= declare global
  interface Window { x: 1 } //= interface global.Window
}
export namespace Outer.Inner { //= namespace Outer.Inner
  export const value = 1; //= const Outer.Inner.value
  function local() {} //= function Outer.Inner.local()
}

if (a) {
  function inBlock() {}
}
const object = { //= const object
  method() {},
  property: function () {},
};
label: for (const x of []) {}
(function iife() { class Hidden {} })();

export const checked = { a: 1 } satisfies Options; //= const checked
const größe = 1; //= const größe
export class Last {} //= class Last

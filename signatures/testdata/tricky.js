#!/usr/bin/env node
// Each line on which a declaration starts names it behind "//=".
"use strict";
const fs = require("fs"); //= const fs
const { join, resolve: absolute } = require("path"); //= const join, const absolute
var self = this; //= var self

function constructor() {} //= function constructor()
const isEven = (n) => n % 2 === 0; //= const isEven()
const html = `<script>function inTemplate() {}</script>`; //= const html
const re = /[/"'`]/; //= const re
const divided = fs.size / 2 / "/".length; //= const divided

class Queue { //= class Queue
  #items = [];
  static create() { return new Queue(); } //= method Queue.create()
  get size() { return this.#items.length; } //= method Queue.size()
  async *[Symbol.asyncIterator]() {}
  push = (x) => this.#items.push(x); //= method Queue.push()
}

export default class extends Queue { //= export default
  pop() {} //= method default.pop()
}
let last = async function named() {}; //= let last()

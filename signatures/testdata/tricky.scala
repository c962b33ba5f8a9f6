package com.example

import scala.util._

// def no = 1
/* class No /* nested */ def no */
package object util { //= package object util
  def helper = 1 //= def util.helper()
}

case class Point[T](x: Int) extends Base with Store { //= class Point
  def move(dx: Int): Point[T] = { //= def Point.move()
    def local = 1
    val text = "def no = 1"
    this
  }
  val field = 1
  type Key = Int //= type Point.Key
  private def hidden = 2 //= def Point.hidden()
  def this(name: String) = this(1) //= def Point.this()
  object Inner { //= object Point.Inner
    def m = 1 //= def Point.Inner.m()
  }
}

object Main extends App { //= object Main
  def main(args: Array[String]): Unit = () //= def Main.main()
  val (a, b) = pair
}

@deprecated("class No", "1")
sealed trait Store { //= trait Store
  def put(x: Int): Unit //= def Store.put()
}
implicit class Rich(val x: Int) extends AnyVal { def twice = 2 } //= class Rich, def Rich.twice()
case object Empty //= object Empty

enum State: //= enum State
  case Idle, Busy
  def code = 1 //= def State.code()

given ordering: Ordering[Int] with //= given ordering
  def compare(a: Int, b: Int) = 1 //= def ordering.compare()

given Ordering[String] = ???
type Alias = Int //= type Alias
opaque type Id = Int //= type Id
val top = 1 //= val top
private var counter = 2 //= var counter
def topLevel(x: Int): Int = 1 //= def topLevel()

extension (x: Int)
  def extended = 1 //= def extended()

private[example] class Hidden //= class Hidden
val raw = """ //= val raw
def no = 1
class No
"""
def +(a: Int) = 1 //= def +()

package com.example

import kotlin.math.*

const val LIMIT = 10 //= const val LIMIT
private val secret: Int = 2 //= val secret
var (first, second) = pair() //= var first, var second
val String.extension: Int get() = 1 //= val String.extension

/** fun no() {} */
@JvmStatic
fun helper(a: Int): Int { //= fun helper()
    fun local() {}
    class Local
    val text = "fun no() {}"
    return 1
}
inline fun <reified T> List<T>.extended(x: T) = x //= fun List.extended()
suspend operator fun Point.plus(other: Point): Point = this //= fun Point.plus()
fun `quoted name`() {} //= fun quoted name()

open class Cache<K>(val size: Int) : Base(size), Store { //= class Cache
    constructor(name: String) : this(1) {} //= method Cache.constructor()
    init { println("fun no() {}") }
    val property = 1
    fun get(key: K) {} //= fun Cache.get()
    private fun hidden() {} //= fun Cache.hidden()
    override suspend fun put() {} //= fun Cache.put()

    companion object {
        const val INNER = 1
        fun open() {} //= fun Cache.open()
    }

    inner class Inner { //= class Cache.Inner
        fun m() {} //= fun Cache.Inner.m()
    }
}

data class Point(val x: Int) //= class Point
sealed interface Shape { //= interface Shape
    fun area(): Double //= fun Shape.area()
}
enum class State { //= enum class State
    IDLE { override fun no() {} },
    BUSY;

    fun code() {} //= fun State.code()
}
object Registry : Store { //= object Registry
    fun add() {} //= fun Registry.add()
}
typealias Handler = (Int) -> Unit //= typealias Handler
annotation class Marker //= class Marker
val raw = """ //= val raw
fun no() {}
class No
"""
val listener = object : Listener { //= val listener
    override fun no() {}
}

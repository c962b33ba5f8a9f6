import Foundation
// func no() {}
/* class No {} /* nested */ func no() {} */

@MainActor
public class Cache<K>: Base, Store { //= class Cache
    static let limit = 1
    var size: Int { 1 }
    init(size: Int) { //= method Cache.init()
        func local() {}
    }
    convenience init?() { self.init(size: 1) } //= method Cache.init()
    deinit {}
    func get(_ key: K) -> Int { //= func Cache.get()
        let text = "func no() {}"
        return 1
    }
    private func hidden() {} //= func Cache.hidden()
    static func open() {} //= func Cache.open()
    subscript(i: Int) -> Int { 1 }
    class Inner { //= class Cache.Inner
        func m() {} //= func Cache.Inner.m()
    }
}

struct Point<T> { //= struct Point
    mutating func move() {} //= func Point.move()
}
enum State: String { //= enum State
    case idle
    indirect case busy(Int)
    func code() {} //= func State.code()
}
protocol Store: AnyObject { //= protocol Store
    associatedtype Key
    var size: Int { get }
    func put() //= func Store.put()
}
extension Cache.Inner: Store where K == Int { //= extension Cache.Inner
    func put() {} //= func Cache.Inner.put()
}
extension Array where Element == Int { //= extension Array
    func total() -> Int { 0 } //= func Array.total()
}
actor Worker { //= actor Worker
    func work() async {} //= func Worker.work()
}
typealias Handler = (Int) -> Void //= typealias Handler
let limit = 10 //= let limit
private var counter = 0 //= var counter
fileprivate func secret() {} //= func secret()
func == (a: Point<Int>, b: Point<Int>) -> Bool { true } //= func ==()
#if os(Linux)
func onLinux() {} //= func onLinux()
#else
func elsewhere() {} //= func elsewhere()
#endif
let text = """ //= let text
func no() {}
class No {}
"""

package com.example;

import java.util.List;

/** class No {} */
@Entity
@Table(name = "class No {}")
public class Cache<K, V> extends Base<K> implements Store { //= class Cache
    private static final int LIMIT = 1;
    static { System.out.println("void no() {}"); }

    public Cache(int size) { //= method Cache.Cache()
        class Local { void no() {} }
    }

    @Override
    @SuppressWarnings({"unchecked", "x"})
    public <T extends K> V get(T key) throws IOException { //= method Cache.get()
        Runnable r = new Runnable() { public void run() {} };
        return null;
    }
    abstract void left(); //= method Cache.left()
    private int[] array()[] { return null; } //= method Cache.array()

    static class Inner { void m() {} } //= class Cache.Inner, method Cache.Inner.m()
    enum State { //= enum Cache.State
        IDLE { void no() {} },
        BUSY;
        int code() { return 1; } //= method Cache.State.code()
    }
    String text = """
        class No { void no() {} }
        """;
}

interface Store { //= interface Store
    int K = 1;
    void put(); //= method Store.put()
    default int size() { return 0; } //= method Store.size()
}

record Point(int x, int y) { //= record Point
    Point { } //= method Point.Point()
    static Point of() { return null; } //= method Point.of()
}

@interface Marker { String value() default ""; } //= @interface Marker
sealed interface Shape permits Circle {} //= interface Shape

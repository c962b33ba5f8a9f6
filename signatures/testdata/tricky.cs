#region class No
using System;
using Alias = System.String;

namespace Example.Core //= namespace Example.Core
{
    /// <summary>class No {}</summary>
    [Serializable]
    public partial class Cache<T> : Base, IStore where T : class //= class Cache
    {
        private const int Limit = 1;
        public int Size { get; set; }
        public event EventHandler Changed;
        public Cache() : base() { } //= method Cache.Cache()
        ~Cache() { } //= method Cache.~Cache()
        public static T Get<U>(U key) => default; //= method Cache.Get()
        void IStore.Put() { int Local() { return 1; } } //= method Cache.Put()
        public static Cache<T> operator +(Cache<T> a, Cache<T> b) => a; //= method Cache.operator +()
#if NET
        internal async Task RunAsync() { } //= method Cache.RunAsync()
#else
        internal void Run() { } //= method Cache.Run()
#endif
        string s = "class No { void no() {} }";
        string v = @"class No {
            void no() {} }";
        private class Inner { protected void M() { } } //= class Cache.Inner, method Cache.Inner.M()
        public delegate void Handler(int x); //= delegate Cache.Handler
    }
    public interface IStore { void Put(); } //= interface IStore, method IStore.Put()
    public record Point(int X, int Y); //= record Point
    public readonly struct Pair { } //= struct Pair
    internal enum State { Idle, Busy } //= enum State
    public delegate int Compare(int a, int b); //= delegate Compare
}
#endregion

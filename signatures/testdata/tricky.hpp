#ifndef EXAMPLE_HPP
#define EXAMPLE_HPP
#ifdef __cplusplus
extern "C" {
#endif
int c_function(int a); //= function c_function()
#ifdef __cplusplus
}
#endif
BEGIN_NAMESPACE
namespace example::detail { //= namespace example::detail
namespace { int hidden; } //= variable hidden
inline namespace v1 EXPORT_MACRO(1) { //= namespace v1
template <typename T, int N = (1 > 0)>
class API_EXPORT Cache final : public Base<T>, private Other { //= class Cache
	Q_OBJECT
public:
	Cache() : size_(1), list_{1, 2} {} //= method Cache::Cache()
	explicit Cache(const Cache&) = delete; //= method Cache::Cache()
	virtual ~Cache(); //= method Cache::~Cache()
	int size() const noexcept override { return size_; } //= method Cache::size()
	bool operator==(const Cache& other) const = default; //= method Cache::operator==()
	explicit operator bool() const { return true; } //= method Cache::operator bool()
	void operator()(int a); //= method Cache::operator()()
	Cache& operator<<(int); //= method Cache::operator<<()
	friend void befriended();
	template <class U> static U convert(U u) { return u; } //= method Cache::convert()
	std::function<void(int)> callback;
	class Inner { void m(); }; //= class Cache::Inner, method Cache::Inner::m()
	enum class State { Idle }; //= enum Cache::State
	using value_type = T; //= using Cache::value_type
protected:
	void guarded(); //= method Cache::guarded()
private:
	void secret(); //= method Cache::secret()
	int size_ = compute(1);
};
template <> class Cache<int> {}; //= class Cache
class Forward;
struct Point { int x; Point* next(); } origin; //= struct Point, method Point::next()
enum class Level : int { Low }; //= enum Level
using Alias = std::vector<int>; //= using Alias
using namespace std;
typedef std::map<int, std::string> Map; //= typedef Map
constexpr int kLimit = 1; //= constant kLimit
const char* const kRaw = R"(class No { void no(); };)"; //= constant kRaw
std::vector<std::pair<int, int>> pairs; //= variable pairs
std::string text("class No {};"); //= variable text
auto trailing(int a) -> decltype(a); //= function trailing()
template <typename T> T maximum(T a, T b) { return a > b ? a : b; } //= function maximum()
template class Cache<long>;
concept_like(x);
} // namespace v1
Cache<int>::Cache(int a) : size_(a) {} //= method Cache::Cache()
Cache<int>::~Cache() {} //= method Cache::~Cache()
int Cache<int>::size() const { auto f = [](int x) { return x; }; return 1'000; } //= method Cache::size()
std::ostream& operator<<(std::ostream& out, const Point& p) { return out; } //= function operator<<()
static_assert(sizeof(int) == 4, "int no();");
}
TEST(Cache, Size) { int no(); }
END_NAMESPACE
#endif

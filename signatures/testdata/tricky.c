/* int no(void); */
// int no(void);
#include <stdio.h>
#define LIMIT 10 //= #define LIMIT
#define MAX(a, b) ((a) > (b) ? (a) : (b)) //= #define MAX
#  define INDENTED //= #define INDENTED
static const char *names[] = { "int no(void) {", "}" }; //= constant names
int counter = 1, limits[LIMIT] = { 1, 2 }, *pointer; //= variable counter, variable limits, variable pointer
extern int outside; //= variable outside
typedef unsigned long ulong_t; //= typedef ulong_t
typedef int (*handler_t)(int, void *); //= typedef handler_t
typedef struct point { int x, y; } point_t, *point_p; //= struct point, typedef point_t, typedef point_p
struct cache { //= struct cache, variable the_cache
	int size;
#define CACHE_SIZE 3 //= #define CACHE_SIZE
	struct inner { int a; } in;
	void (*hook)(struct cache *, int);
} the_cache;
struct forward;
union bits { int i; float f; }; //= union bits
enum state { IDLE, BUSY }; //= enum state
enum { ANONYMOUS };

static inline int hidden(int a) { return a; } //= function hidden()
extern int prototype(const char *format, ...) __attribute__((format(printf, 1, 2))); //= function prototype()
struct point *make(int x, int y); //= function make()
void (*signal(int sig, void (*handler)(int)))(int); //= function signal()
API_EXPORT(void) exported(int x); //= function exported()
static DEFINE_MUTEX(lock);
MODULE_LICENSE("GPL");
int //= function on_its_own_line()
on_its_own_line(int a)
{
	struct local { int x; };
	int no(void);
	if (a) { char c = '{'; }
	return MAX(a, 1);
}

int branches(int a) //= function branches()
{
#ifdef ONE
	if (a) {
#else
	while (a) {
#endif
		a--;
	}
	return a;
}

#ifdef TWO
int twice(int a)
#else
int twice(long a) //= function twice()
#endif
{
	return 2;
}

#if 0
int dead(void) { return 0; }
#else
int alive(void) { return 1; } //= function alive()
#endif

int old_style(a, b) //= function old_style()
	int a;
	char *b;
{
	return a;
}

#define BEGIN { //= #define BEGIN
int unbalanced(void) //= function unbalanced()
{
#ifdef THREE
	if (1) {
#endif
	return 0;
}
int after_unbalanced(void) { return 0; } //= function after_unbalanced()
int main() { return 0; } //= function main()

<h1>function no() {}</h1>
<?php
declare(strict_types=1);

namespace App\Models; //= namespace App\Models

use Foo\{Bar, Baz};

const LIMIT = 1, SIZE = 2; //= const LIMIT, const SIZE

/** class No {} */
# class No {}
#[Attribute]
final class Cache extends Base implements Store //= class Cache
{
    use SomeTrait;
    const INNER = 1;
    private ?int $size = 0;
    public function __construct(private int $a) {} //= function Cache.__construct()
    public static function open(string $path): static { function inner() {} return new class { function no() {} }; } //= function Cache.open()
    abstract protected function &left(): array; //= function Cache.left()
    private function secret() {} //= function Cache.secret()
}

interface Store { public function put(); } //= interface Store, function Store.put()
trait Countable { public function count() {} } //= trait Countable, function Countable.count()
enum Suit: string { case Hearts = 'H'; public function label() {} } //= enum Suit, function Suit.label()

function helper(array $x = ['class No {}']) { //= function helper()
    $f = function () {};
    $g = fn($x) => $x;
}
if (!function_exists('polyfill')) {
    function polyfill() {} //= function polyfill()
}
$text = <<<EOT
function no() {}
EOT;
$raw = <<<'EOT'
class No {}
EOT;
?>
<p>class No {}</p>

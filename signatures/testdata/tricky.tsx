// Each line on which a declaration starts names it behind "//=".
export function App({ name }: Props) { //= function App()
  const local = 1;
  return (
    <div className="class X {}">
      don't declare function inText() {"{"} {name} http://example.com/
      {items.map((item) => <Item key={item} {...item} />)}
    </div>
  );
}

export const Generic = <T,>(props: T) => <b>{props}</b>; //= const Generic()

class Panel extends React.Component<Props> { //= class Panel
  render() { return <>class InFragment {"{}"}</>; } //= method Panel.render()
}

export default Panel; //= export default Panel

/** The colors of a scheme side by side, from few to many. */
export function ColorRamp({ colors, height = 12 }: { colors: readonly string[]; height?: number }) {
  return (
    <span aria-hidden="true" style={{ display: 'flex', height, borderRadius: 3, overflow: 'hidden' }}>
      {colors.map((color) => (
        <span key={color} style={{ flex: 1, background: color }} />
      ))}
    </span>
  )
}

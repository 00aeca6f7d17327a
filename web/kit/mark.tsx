import dark from './mark-dark.svg'
import mark from './mark.svg'

/** The logo: a route through a city. `isDark` is the teal version on ink. */
export function Mark({ size, isDark = false }: { size: number; isDark?: boolean }) {
  return <img src={isDark ? dark : mark} width={size} height={size} alt="" />
}

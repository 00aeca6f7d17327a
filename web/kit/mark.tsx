import dark from './mark-dark.svg'
import mark from './mark.svg'

/** The logo mark: a way through a city, from its start to its end. `isDark` is the second one, teal on ink. */
export function Mark({ size, isDark = false }: { size: number; isDark?: boolean }) {
  return <img src={isDark ? dark : mark} width={size} height={size} alt="" />
}

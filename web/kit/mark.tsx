import mark from './mark.svg'

/** The logo mark: a way through a city, from its start to its end. */
export function Mark({ size }: { size: number }) {
  return <img src={mark} width={size} height={size} alt="" />
}

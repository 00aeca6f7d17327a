export interface OperatorsSearch {
  /** The region whose feeds are shown. */
  region?: string | undefined
}

export const operatorsSearch = ({ region }: Record<string, unknown>): OperatorsSearch =>
  typeof region === 'string' && region !== '' ? { region } : {}

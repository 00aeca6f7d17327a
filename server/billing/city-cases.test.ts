import { expect, it } from 'vitest'
import cityCases from '../../test/billing/city-cases.json' with { type: 'json' }
import { chargeCase } from './charge-case.ts'

interface Charged {
  lines: { amount: string }[]
  total: string
}

it.each(cityCases.map((each) => [each.case.id, each] as const))(
  'charges to the cent what test/billing/city_cases.py computes: %s',
  (id, { case: given, amounts, total }) => {
    const found = chargeCase(given, id) as Charged
    const charged = found.lines.map(({ amount }) => amount).filter((amount) => Number(amount) !== 0)
    expect({ amounts: charged.toSorted(), total: found.total }).toEqual({
      amounts: amounts.toSorted(),
      total,
    })
  },
)

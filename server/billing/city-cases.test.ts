import { expect, it } from 'vitest'
import cityCases from '../../test/billing/city-cases.json' with { type: 'json' }
import { chargeCase } from './charge-case.ts'

interface Charged {
  lines: { amount: string }[]
  total: string
}

it.each(cityCases.map((cityCase) => [cityCase.case.id, cityCase] as const))(
  'charges to the cent what test/billing/city_cases.py computes: %s',
  (id, { case: input, amounts, total }) => {
    const result = chargeCase(input, id) as Charged
    const charged = result.lines.map(({ amount }) => amount).filter((amount) => Number(amount) !== 0)
    expect({ amounts: charged.toSorted(), total: result.total }).toEqual({
      amounts: amounts.toSorted(),
      total,
    })
  },
)

import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import i18next from 'i18next'
import { useState } from 'react'
import { describe, expect, it } from 'vitest'
import type { CdsRule } from '#contract/cds.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { RuleFields } from './rule-fields.tsx'

/** Renders the fields as the editor does, and returns access to the current rules. */
async function renderFields(
  start: readonly CdsRule[],
  { currency = 'USD', findings = {} }: { currency?: string; findings?: Record<string, string[]> } = {},
) {
  let current: readonly CdsRule[] = start
  function Editor() {
    const [rules, setRules] = useState(start)
    return (
      <RuleFields
        rules={rules}
        context={{ t: i18next.t, language: 'en-US', currency, timezone: 'America/New_York' }}
        getFindings={(path) => findings[path] ?? []}
        onChange={(next) => {
          current = next
          setRules(next)
        }}
      />
    )
  }
  await renderPart(<Editor />)
  return () => current
}
const getCard = (row: number) => within(screen.getByRole('region', { name: `Rule ${row}` }))
const type = (field: HTMLElement, value: string): void => {
  fireEvent.focus(field)
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}

describe('rules of a regulation', () => {
  it('rules of a regulation are added, moved and removed; the last one cannot be removed', async () => {
    const rules = await renderFields([{ activity: 'loading' }])
    expect(getCard(1).getByRole('button', { name: 'Remove rule 1' })).toBeDisabled()
    expect(getCard(1).getByRole('button', { name: 'Move up: Rule 1' })).toBeDisabled()
    await userEvent.click(screen.getByRole('button', { name: 'Add a rule' }))
    expect(rules()).toEqual([{ activity: 'loading' }, { activity: 'parking' }])
    await userEvent.click(getCard(2).getByRole('button', { name: 'Move up: Rule 2' }))
    expect(rules()).toEqual([{ activity: 'parking' }, { activity: 'loading' }])
    await userEvent.click(getCard(1).getByRole('button', { name: 'Remove rule 1' }))
    expect(rules()).toEqual([{ activity: 'loading' }])
  })

  it('rules of a regulation are shown in words above their fields, with their findings', async () => {
    await renderFields(
      [{ activity: 'parking', max_stay: 2, max_stay_unit: 'hour', user_classes: ['truck'] }],
      { findings: { 'rules.0': ['Two rates apply to the same part of the stay.'] } },
    )
    expect(getCard(1).getByText(/Parking.*trucks.*2 h/)).toBeInTheDocument()
    expect(getCard(1).getByText('Two rates apply to the same part of the stay.')).toBeInTheDocument()
  })

  it('rules of a regulation stay expanded to their exceptions when a rule is moved', async () => {
    await renderFields([{ activity: 'parking' }, { activity: 'loading', description: 'Market stalls' }])
    expect(getCard(1).queryByLabelText('Description of the rule')).toBeNull()
    await userEvent.click(getCard(2).getByRole('button', { name: 'Move up: Rule 2' }))
    expect(getCard(1).getByLabelText('Description of the rule')).toHaveValue('Market stalls')
  })
})

describe('the fields of a rule', () => {
  it('the fields of a rule set stays and their units, and omit minutes, the default', async () => {
    const rules = await renderFields([{ activity: 'parking', no_return: 30 }])
    type(getCard(1).getByLabelText('Maximum stay'), '2')
    fireEvent.change(getCard(1).getByLabelText('Unit of the maximum stay'), { target: { value: 'hour' } })
    type(getCard(1).getByLabelText('No return within'), '')
    expect(rules()).toEqual([{ activity: 'parking', max_stay: 2, max_stay_unit: 'hour' }])
    fireEvent.change(getCard(1).getByLabelText('Unit of the maximum stay'), { target: { value: 'minute' } })
    expect(rules()).toEqual([{ activity: 'parking', max_stay: 2 }])
  })

  it('the fields of a rule select the activity and user classes by name', async () => {
    const rules = await renderFields([{ activity: 'parking' }])
    await userEvent.click(getCard(1).getByLabelText(/^Activity/, { selector: 'input' }))
    await userEvent.click(await screen.findByRole('option', { name: 'No stopping', hidden: true }))
    await userEvent.click(getCard(1).getByLabelText(/^User classes/, { selector: 'input' }))
    await userEvent.click(await screen.findByRole('option', { name: 'trucks', hidden: true }))
    expect(rules()).toEqual([{ activity: 'no stopping', user_classes: ['truck'] }])
  })

  it("the fields of a rule accept a city's own classes besides those of the standard", async () => {
    const rules = await renderFields([{ activity: 'parking', user_classes: ['truck'] }])
    await userEvent.click(getCard(1).getByRole('button', { name: 'Exceptions and own classes' }))
    await userEvent.type(
      getCard(1).getByLabelText(/^User classes of this city/, { selector: 'input' }),
      'permit_a{Enter}',
    )
    expect(rules()).toEqual([{ activity: 'parking', user_classes: ['truck', 'permit_a'] }])
    fireEvent.change(getCard(1).getByLabelText('Description of the rule'), { target: { value: 'Stalls' } })
    expect(rules()[0]).toMatchObject({ description: 'Stalls' })
  })
})

describe('the rates of a rule', () => {
  it('the rates of a rule are optional: parking is free without rates', async () => {
    await renderFields([{ activity: 'parking' }])
    expect(getCard(1).getByText('No rate: parking is free.')).toBeInTheDocument()
    expect(getCard(1).queryByRole('button', { name: 'Increments and periods' })).toBeNull()
  })

  it('the rates of a rule are in minor units', async () => {
    const rules = await renderFields([{ activity: 'parking' }])
    await userEvent.click(getCard(1).getByRole('button', { name: 'Add a rate' }))
    const first = within(getCard(1).getByRole('group', { name: 'Rate 1' }))
    type(first.getByLabelText('Amount'), '2.50')
    type(first.getByLabelText('To (units)'), '2')
    expect(first.getByLabelText('Amount')).toHaveValue('$2.50')
    expect(rules()[0]?.rate).toEqual([{ rate: 250, rate_unit: 'hour', end_duration: 2 }])
  })

  const twoRates = [
    { rate: 250, rate_unit: 'hour' as const, end_duration: 2 },
    { rate: 0, rate_unit: 'hour' as const, start_duration: 2 },
  ]
  it('the rates of a rule start where the previous one ends', async () => {
    const rules = await renderFields([{ activity: 'parking', rate: twoRates.slice(0, 1) }])
    await userEvent.click(getCard(1).getByRole('button', { name: 'Add a rate' }))
    expect(rules()[0]?.rate).toEqual(twoRates)
  })

  it('the rates of a rule can be removed', async () => {
    const rules = await renderFields([{ activity: 'parking', rate: twoRates }])
    await userEvent.click(getCard(1).getByRole('button', { name: 'Remove rate 1' }))
    await userEvent.click(getCard(1).getByRole('button', { name: 'Remove rate 1' }))
    expect(rules()).toEqual([{ activity: 'parking' }])
  })

  it('the rates of a rule in a currency without decimals are whole amounts', async () => {
    const rules = await renderFields([{ activity: 'parking', rate: [{ rate: 100, rate_unit: 'hour' }] }], {
      currency: 'JPY',
    })
    expect(getCard(1).getByLabelText('Amount')).toHaveValue('¥100')
    type(getCard(1).getByLabelText('Amount'), '300')
    expect(rules()[0]?.rate).toEqual([{ rate: 300, rate_unit: 'hour' }])
  })

  it('the rates of a rule have a maximum fee, increments and a period, which are omitted if empty', async () => {
    const rules = await renderFields([{ activity: 'parking', rate: [{ rate: 250, rate_unit: 'hour' }] }])
    await userEvent.click(getCard(1).getByRole('button', { name: 'Increments and periods' }))
    type(getCard(1).getByLabelText('Maximum fee'), '12')
    type(getCard(1).getByLabelText('Minimum units'), '15')
    type(getCard(1).getByLabelText('Round up to'), '0.25')
    fireEvent.change(getCard(1).getByLabelText('Period'), { target: { value: 'calendar' } })
    fireEvent.change(getCard(1).getByLabelText('Per'), { target: { value: 'day' } })
    expect(rules()[0]?.rate).toEqual([
      {
        rate: 250,
        rate_unit: 'day',
        maximum_fee: 1200,
        increment_duration: 15,
        increment_amount: 25,
        rate_unit_period: 'calendar',
      },
    ])
    type(getCard(1).getByLabelText('Maximum fee'), '')
    type(getCard(1).getByLabelText('Minimum units'), '0')
    type(getCard(1).getByLabelText('Round up to'), '0')
    fireEvent.change(getCard(1).getByLabelText('Period'), { target: { value: 'rolling' } })
    expect(rules()[0]?.rate).toEqual([{ rate: 250, rate_unit: 'day' }])
  })

  it('the rates of a rule show the increments of a rule that has them', async () => {
    await renderFields([
      { activity: 'parking', rate: [{ rate: 250, rate_unit: 'hour', increment_duration: 15 }] },
    ])
    expect(getCard(1).getByLabelText('Minimum units')).toHaveValue('15')
  })
})

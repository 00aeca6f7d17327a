import { fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import type { PricingParameters } from '#contract/curb-pricing-parameters.ts'
import { renderPart } from '#web/kit/test-part.tsx'
import { ParametersForm } from './parameters-form.tsx'
import { getDefaultParameters } from './pricing-search.ts'

const defaults = getDefaultParameters('2026-06-20')

async function renderForm(
  parameters: PricingParameters = defaults,
  { currency = 'USD', isPending = false } = {},
) {
  const onCalculate = vi.fn<(next: PricingParameters) => void>()
  await renderPart(
    <ParametersForm
      parameters={parameters}
      currency={currency}
      today="2026-06-20"
      isPending={isPending}
      onCalculate={onCalculate}
    />,
  )
  // Queries by role are slow in a form of this size, so this finds the button by its text.
  const button = screen.getByText('Calculate rates').closest('button')!
  return {
    button,
    calculated: () => {
      fireEvent.click(button)
      return onCalculate.mock.lastCall?.[0]
    },
    errors: () =>
      [...(document.querySelector('[aria-label="What is missing or wrong"]')?.children ?? [])].map(
        ({ textContent }) => textContent,
      ),
  }
}
const type = (label: string | RegExp, value: string): void => {
  const field = screen.getByLabelText(label)
  fireEvent.focus(field)
  fireEvent.change(field, { target: { value } })
  fireEvent.blur(field)
}
const choose = async (label: string, option: string): Promise<void> => {
  fireEvent.click(screen.getByLabelText(label, { selector: 'input' }))
  fireEvent.click(await screen.findByText(option))
}

describe('the parameters of a proposal', () => {
  it('the parameters of a proposal are calculated unchanged; the source of the preset is named', async () => {
    const { calculated, errors } = await renderForm()
    expect(errors()).toEqual([])
    expect(screen.getByText(/^Source: San Francisco Transportation Code/)).toBeInTheDocument()
    expect(screen.getByText('Not in the source, your choice: Largest change, Rounding.')).toBeInTheDocument()
    expect(calculated()).toEqual(defaults)
  })

  it('the parameters of a proposal show money in the currency and shares in percent', async () => {
    await renderForm({ ...defaults, max_change: { ...defaults.max_change, share: 0.125 } })
    expect(screen.getByLabelText('Lowest rate per hour')).toHaveValue('$0.50')
    expect(screen.getByLabelText('Highest rate per hour')).toHaveValue('$10.00')
    expect(screen.getByLabelText('Target from')).toHaveValue('60 %')
    expect(screen.getByLabelText('Largest change as a share')).toHaveValue('12.5 %')
    expect(screen.getByLabelText('Largest change')).toHaveAttribute('placeholder', 'No limit')
  })

  it('the parameters of a proposal are sent in minor units and shares; an empty limit is no limit', async () => {
    const { calculated } = await renderForm()
    type('Lowest rate per hour', '0.75')
    type('Highest rate per hour', '')
    type('Target until', '85')
    type('Largest change', '0.50')
    type('Largest change as a share', '30')
    type('Days between changes', '')
    type('Minimum coverage', '72.5')
    expect(calculated()).toEqual({
      ...defaults,
      floor: 75,
      ceiling: null,
      target: { from: 0.6, until: 0.85 },
      max_change: { ...defaults.max_change, amount: 50, share: 0.3 },
      min_days_between: null,
      min_coverage: 0.725,
    })
  })

  it('the parameters of a proposal of a currency without decimals are whole amounts', async () => {
    const { calculated } = await renderForm({ ...defaults, floor: 100, ceiling: 1000 }, { currency: 'JPY' })
    expect(screen.getByLabelText('Lowest rate per hour')).toHaveValue('¥100')
    type('Lowest rate per hour', '150')
    expect(calculated()).toMatchObject({ floor: 150 })
  })

  it('the parameters of a proposal accept decimals and signs as they are typed', async () => {
    const { calculated } = await renderForm()
    const step = screen.getAllByLabelText('Change per hour, USD')[0]!
    await userEvent.clear(step)
    await userEvent.type(step, '-0.50')
    expect(step).toHaveValue('-0.50')
    expect(calculated()?.steps[0]).toMatchObject({ change: -50 })
  })

  it('the parameters of a proposal accept excluded days with any separator', async () => {
    const { calculated } = await renderForm()
    type('Days left out', '2026-05-25; 2026-06-01 2026-06-02,')
    expect(calculated()).toMatchObject({ excluded_days: ['2026-05-25', '2026-06-01', '2026-06-02'] })
  })

  it('the parameters of a proposal cannot be calculated again while a calculation is running', async () => {
    const { button } = await renderForm(defaults, { isPending: true })
    expect(button).toBeDisabled()
  })
})

describe('invalid parameters', () => {
  it.each([
    ['Highest rate per hour', '0.25', 'Highest rate: The highest rate is below the lowest one.'],
    ['Lowest rate per hour', '0.60', 'Lowest rate: The lowest rate is not a multiple of the rounding.'],
    ['Target until', '50', 'Target band: The target band ends before it begins.'],
    [
      'Effective day',
      '2026-06-01',
      'Effective day: The rates would take effect before the analysis window has ended.',
    ],
  ])('names the invalid parameter for %s %s, and calculates nothing', async (label, value, error) => {
    const { button, calculated, errors } = await renderForm()
    type(label, value)
    expect(errors()).toContain(error)
    expect(button).toBeDisabled()
    expect(calculated()).toBeUndefined()
  })

  it('invalid parameters include an invalid day, reported at its field', async () => {
    const { calculated } = await renderForm()
    type('Days left out', '2026-05-25 soon')
    expect(screen.getByText('Write a day as 06/20/2026.')).toBeInTheDocument()
    expect(calculated()).toBeUndefined()
    type('Days left out', '2026-05-25')
    expect(calculated()).toMatchObject({ excluded_days: ['2026-05-25'] })
  })

  it('invalid parameters include a share of a missing base rate', async () => {
    const { calculated, errors } = await renderForm()
    expect(screen.queryByLabelText('Base rate per hour')).toBeNull()
    type('Largest change as a share', '25')
    await choose('Share of', 'a base rate')
    expect(errors()).toEqual(['Largest change: Enter the base rate to which the share refers.'])
    type('Base rate per hour', '4')
    expect(calculated()?.max_change).toEqual({ amount: null, share: 0.25, of: 'base', base_rate: 400 })
  })

  it('invalid parameters include paid occupancy without a reason', async () => {
    const { button, calculated, errors } = await renderForm({ ...defaults, kinds: ['paid'] })
    expect(errors()).toEqual([expect.stringMatching(/^Reason for paid occupancy: /)])
    expect(button).toBeDisabled()
    type(/^Why rates are proposed from paid occupancy/, 'No sensors')
    expect(calculated()).toMatchObject({ kinds: ['paid'], paid_reason: 'No sensors' })
  })
})

describe('presets', () => {
  it('presets replace the rule but not the period', async () => {
    const { calculated } = await renderForm({ ...defaults, excluded_days: ['2026-05-25'], min_days: 20 })
    await choose('Preset', 'SFpark pilot, 2011–2013')
    expect(calculated()).toMatchObject({
      preset: 'sfpark',
      floor: 25,
      ceiling: 600,
      steps: [{ change: -50 }, { change: -25 }, { change: 0 }, { change: 25 }],
      start_date: defaults.start_date,
      excluded_days: ['2026-05-25'],
      min_days: 20,
    })
  })

  it('presets can be changed into a custom rule', async () => {
    const { calculated } = await renderForm()
    const clear = document.querySelector('form fieldset button')!
    await userEvent.click(clear)
    expect(screen.queryByText(/^Source: /)).toBeNull()
    expect(calculated()).toEqual({ ...defaults, preset: null })
  })

  it('presets with a price menu have prices, which are shown in words', async () => {
    const { calculated, button, errors } = await renderForm()
    expect(screen.queryByLabelText('List of prices')).toBeNull()
    await choose('A step changes the rate by', 'places on a list of prices')
    for (const [index, places] of ['-1', '0', '1'].entries())
      fireEvent.change(screen.getAllByLabelText('Places up or down the list')[index]!, {
        target: { value: places },
      })
    type('List of prices', '0.50 1.00, 1.5')
    expect(screen.getByText('$0.50, $1.00, $1.50')).toBeInTheDocument()
    expect(calculated()).toMatchObject({ change_unit: 'menu', menu: [50, 100, 150] })
    type('List of prices', '0.50 dear')
    expect(errors()[0]).toMatch(/^List of prices 2: /)
    expect(button).toBeDisabled()
  })
  it('presets with a price menu lose their prices once steps are amounts again', async () => {
    const { calculated, errors } = await renderForm()
    await choose('A step changes the rate by', 'places on a list of prices')
    type('List of prices', '0.50 1.00')
    await choose('A step changes the rate by', 'an amount')
    expect(screen.queryByLabelText('List of prices')).toBeNull()
    expect(errors()).toEqual([])
    expect(calculated()).toMatchObject({ change_unit: 'amount', menu: [] })
  })
})

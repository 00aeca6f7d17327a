import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { MoneyInput } from './money-input.tsx'
import { renderPart } from './test-part.tsx'

const onChange = vi.fn<(value: number | null) => void>()

function Controlled({ start = null, currency = 'USD' }: { start?: number | null; currency?: string }) {
  const [value, setValue] = useState(start)
  return (
    <MoneyInput
      label="Fee"
      value={value}
      currency={currency}
      onChange={(next) => {
        onChange(next)
        setValue(next)
      }}
    />
  )
}
const getInput = () => screen.getByLabelText('Fee')

describe('an amount of money', () => {
  it('an amount of money is displayed with its currency and edited as a number', async () => {
    await renderPart(<Controlled start={1204.5} />)
    expect(getInput()).toHaveValue('$1,204.50')
    await userEvent.click(getInput())
    expect(getInput()).toHaveValue('1204.5')
    await userEvent.tab()
    expect(getInput()).toHaveValue('$1,204.50')
  })

  it('an amount of money is replaced by text that is typed after the Tab key', async () => {
    await renderPart(<Controlled start={29406.16} />)
    await userEvent.tab()
    await userEvent.keyboard('10000')
    expect(onChange).toHaveBeenLastCalledWith(10000)
  })

  it('an amount of money is cleaned while typing', async () => {
    await renderPart(<Controlled />)
    await userEvent.type(getInput(), '$1,2a.345')
    expect(getInput()).toHaveValue('012.34')
    expect(onChange).toHaveBeenLastCalledWith(12.34)
    await userEvent.tab()
    expect(getInput()).toHaveValue('$12.34')
  })

  it('an amount of money is 0 if no digit remains, and null when cleared', async () => {
    await renderPart(<Controlled />)
    await userEvent.type(getInput(), 'x')
    expect(getInput()).toHaveValue('0')
    expect(onChange).toHaveBeenLastCalledWith(0)
    await userEvent.clear(getInput())
    expect(getInput()).toHaveValue('')
    expect(onChange).toHaveBeenLastCalledWith(null)
  })

  it('an amount of money has the decimals of its currency', async () => {
    await renderPart(<Controlled currency="JPY" />)
    await userEvent.type(getInput(), '12.6')
    expect(onChange).toHaveBeenLastCalledWith(12)
    await userEvent.tab()
    expect(getInput()).toHaveValue('¥12')
  })

  it('ties its error to the input', async () => {
    await renderPart(<MoneyInput label="Fee" value={1} onChange={() => undefined} error="Too much" />)
    expect(getInput()).toHaveAccessibleDescription('Too much')
  })
})

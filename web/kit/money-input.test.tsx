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
const input = () => screen.getByLabelText('Fee')

describe('an amount of money', () => {
  it('an amount of money is displayed with its currency and edited as a number', async () => {
    await renderPart(<Controlled start={1204.5} />)
    expect(input()).toHaveValue('$1,204.50')
    await userEvent.click(input())
    expect(input()).toHaveValue('1204.5')
    await userEvent.tab()
    expect(input()).toHaveValue('$1,204.50')
  })

  it('an amount of money is replaced by text that is typed after the Tab key', async () => {
    await renderPart(<Controlled start={29406.16} />)
    await userEvent.tab()
    await userEvent.keyboard('10000')
    expect(onChange).toHaveBeenLastCalledWith(10000)
  })

  it('an amount of money is cleaned while typing', async () => {
    await renderPart(<Controlled />)
    await userEvent.type(input(), '$1,2a.345')
    expect(input()).toHaveValue('012.34')
    expect(onChange).toHaveBeenLastCalledWith(12.34)
    await userEvent.tab()
    expect(input()).toHaveValue('$12.34')
  })

  it('an amount of money is 0 if no digit remains, and null when cleared', async () => {
    await renderPart(<Controlled />)
    await userEvent.type(input(), 'x')
    expect(input()).toHaveValue('0')
    expect(onChange).toHaveBeenLastCalledWith(0)
    await userEvent.clear(input())
    expect(input()).toHaveValue('')
    expect(onChange).toHaveBeenLastCalledWith(null)
  })

  it('an amount of money has the decimals of its currency', async () => {
    await renderPart(<Controlled currency="JPY" />)
    await userEvent.type(input(), '12.6')
    expect(onChange).toHaveBeenLastCalledWith(12)
    await userEvent.tab()
    expect(input()).toHaveValue('¥12')
  })

  it('ties its error to the input', async () => {
    await renderPart(<MoneyInput label="Fee" value={1} onChange={() => undefined} error="Too much" />)
    expect(input()).toHaveAccessibleDescription('Too much')
  })
})

import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { AllOrSome } from './all-or-some.tsx'
import { renderPart } from './test-part.tsx'

const options = [
  { value: 'a', label: 'Alder' },
  { value: 'b', label: 'Birch' },
] as const

async function renderAllOrSome(first: string[] | null, startsEmpty = false) {
  const onChange = vi.fn<(value: string[] | null) => void>()
  function Controlled() {
    const [value, setValue] = useState(first)
    const change = (next: string[] | null) => {
      onChange(next)
      setValue(next)
    }
    return (
      <AllOrSome<string>
        label="Regions"
        all="All"
        some="Only these"
        none="Sees nothing"
        options={options}
        value={value}
        startsEmpty={startsEmpty}
        onChange={change}
      />
    )
  }
  await renderPart(<Controlled />)
  return onChange
}
const press = (name: string) => userEvent.click(screen.getByLabelText(name))

describe('all or some', () => {
  it('distinguishes all from a list with every option', async () => {
    const onChange = await renderAllOrSome(null)
    expect(screen.getByLabelText('All')).toBeChecked()
    expect(screen.queryByLabelText('Alder')).not.toBeInTheDocument()
    await press('Only these')
    expect(onChange).toHaveBeenLastCalledWith(['a', 'b'])
    await press('Alder')
    expect(onChange).toHaveBeenLastCalledWith(['b'])
    await press('All')
    expect(onChange).toHaveBeenLastCalledWith(null)
    await press('Only these')
    expect(onChange).toHaveBeenLastCalledWith(['b'])
  })

  it('retains the order of the options, and explains an empty list', async () => {
    const onChange = await renderAllOrSome(null, true)
    await press('Only these')
    expect(onChange).toHaveBeenLastCalledWith([])
    expect(screen.getByText('Sees nothing')).toBeInTheDocument()
    await press('Birch')
    await press('Alder')
    expect(onChange).toHaveBeenLastCalledWith(['a', 'b'])
    expect(screen.queryByText('Sees nothing')).not.toBeInTheDocument()
  })

  it('retains values that are no longer an option', async () => {
    const onChange = await renderAllOrSome(['gone', 'b'])
    await press('Alder')
    expect(onChange).toHaveBeenLastCalledWith(['a', 'b', 'gone'])
  })
})

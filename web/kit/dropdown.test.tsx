import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { type FormEvent, useState } from 'react'
import { describe, expect, it, vi } from 'vitest'
import { Dropdown } from './dropdown.tsx'
import { MultiDropdown } from './multi-dropdown.tsx'
import { renderPart } from './test-part.tsx'
import { findOptions } from './dropdown-parts.tsx'

type City = 'malaga' | 'toledo' | 'vigo'
const options = [
  { value: 'malaga', text: 'Málaga', description: 'By the sea', icon: <svg data-testid="wave" /> },
  { value: 'toledo', text: 'Toledo', description: 'On a hill' },
  { value: 'vigo', text: 'A name that does not fit into a tag' },
] as const
const onOne = vi.fn<(value: City | null) => void>()
const onMany = vi.fn<(value: City[]) => void>()

function One({ start = null }: { start?: City | null }) {
  const [value, setValue] = useState(start)
  return (
    <Dropdown
      label="City"
      options={options}
      value={value}
      clearable
      onChange={(next) => {
        onOne(next)
        setValue(next)
      }}
    />
  )
}
function Many({ start }: { start: City[] }) {
  const [value, setValue] = useState<City[]>(start)
  return (
    <MultiDropdown
      label="Cities"
      options={options}
      value={value}
      onChange={(next) => {
        onMany(next)
        setValue(next)
      }}
    />
  )
}
const listOptions = () => screen.queryAllByRole('option').map((option) => option.textContent)

describe('a dropdown with one selection', () => {
  it('shows text, description and icon of each option', async () => {
    await renderPart(<One />)
    await userEvent.click(screen.getByRole('combobox', { name: 'City' }))
    expect(listOptions()).toEqual([
      'MálagaBy the sea',
      'ToledoOn a hill',
      'A name that does not fit into a tag',
    ])
    expect(screen.getByTestId('wave')).toBeInTheDocument()
  })

  it('searches text and description ignoring accents, and supports the keyboard', async () => {
    await renderPart(<One />)
    await userEvent.type(screen.getByRole('combobox'), 'malaga')
    expect(listOptions()).toEqual(['MálagaBy the sea'])
    await userEvent.clear(screen.getByRole('combobox'))
    await userEvent.type(screen.getByRole('combobox'), 'hill{ArrowDown}{Enter}')
    expect(onOne).toHaveBeenLastCalledWith('toledo')
    expect(screen.getByRole('combobox')).toHaveValue('Toledo')
  })

  it('opens with Enter or an arrow, not with Tab, and never submits the form', async () => {
    const onSend = vi.fn<(event: FormEvent) => void>((event) => event.preventDefault())
    await renderPart(
      <form onSubmit={onSend}>
        <One />
      </form>,
    )
    const field = screen.getByRole('combobox')
    await userEvent.tab()
    expect(field).toHaveFocus()
    expect(field).toHaveAttribute('aria-expanded', 'false')
    await userEvent.keyboard('{Enter}')
    expect(field).toHaveAttribute('aria-expanded', 'true')
    await userEvent.keyboard('{Escape}')
    expect(field).toHaveAttribute('aria-expanded', 'false')
    await userEvent.keyboard('{ArrowDown}')
    expect(field).toHaveAttribute('aria-expanded', 'true')
    await userEvent.type(field, 'nowhere{Enter}')
    expect(onSend).not.toHaveBeenCalled()
  })

  it('shows that nothing was found, and can be cleared', async () => {
    await renderPart(<One start="toledo" />)
    await userEvent.click(screen.getByLabelText('Clear City'))
    expect(onOne).toHaveBeenLastCalledWith(null)
    await userEvent.type(screen.getByRole('combobox'), 'nowhere')
    expect(screen.getByText('Nothing found')).toBeInTheDocument()
  })

  it('ties its error to the input', async () => {
    await renderPart(
      <Dropdown label="City" options={options} value={null} onChange={onOne} error="Choose one" />,
    )
    expect(screen.getByRole('combobox')).toHaveAccessibleDescription('Choose one')
  })
})

describe('a dropdown with many selections', () => {
  it('adds, searches and removes with the keyboard', async () => {
    await renderPart(<Many start={['toledo']} />)
    await userEvent.type(screen.getByRole('combobox', { name: 'Cities' }), 'sea{ArrowDown}{Enter}')
    expect(onMany).toHaveBeenLastCalledWith(['toledo', 'malaga'])
    await userEvent.keyboard('{Backspace}')
    expect(onMany).toHaveBeenLastCalledWith(['toledo'])
  })

  it('truncates long selections, except for screen readers', async () => {
    await renderPart(<Many start={['vigo']} />)
    expect(screen.getByText('A name that does not…')).toHaveAttribute('aria-hidden', 'true')
    expect(screen.getAllByText('A name that does not fit into a tag')[0]).toHaveClass('visually-hidden')
  })
})

const searchOptions = [
  { value: 'a', text: 'Málaga', description: 'By the sea' },
  { value: 'b', text: 'Toledo', description: 'On a hill' },
  { value: 'c', text: 'Vigo' },
]
const findValues = (search: string): string[] => findOptions(searchOptions, search).map(({ value }) => value)

it('options are found by text and description, ignoring case and accents', () => {
  expect(findValues('')).toEqual(['a', 'b', 'c'])
  expect(findValues(' MALAGA ')).toEqual(['a'])
  expect(findValues('hill')).toEqual(['b'])
  expect(findValues('o')).toEqual(['b', 'c'])
  expect(findValues('x')).toEqual([])
})

import { act, fireEvent, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import fc from 'fast-check'
import { TagList, truncateText } from './tag-list.tsx'
import { renderPart } from './test-part.tsx'

const long = 'A name that does not fit into a tag'
const tags = [
  { key: 'a', text: 'Short' },
  { key: 'b', text: long },
]

describe('tags', () => {
  it('tags are truncated at twenty characters, except for screen readers', async () => {
    await renderPart(<TagList label="Names" tags={tags} />)
    expect(screen.getByRole('list', { name: 'Names' })).toBeInTheDocument()
    expect(screen.getByText('Short')).toBeVisible()
    expect(screen.getByText('A name that does not…')).toHaveAttribute('aria-hidden', 'true')
    expect(screen.getByText(long)).toHaveClass('visually-hidden')
  })

  it('tags are truncated at a custom length', async () => {
    await renderPart(<TagList label="Names" tags={tags} maxLength={3} />)
    expect(screen.getByText('Sho…')).toBeInTheDocument()
  })

  it('tags have a tooltip after 500 ms only if truncated', async () => {
    await renderPart(<TagList label="Names" tags={tags} />)
    vi.useFakeTimers()
    fireEvent.mouseEnter(screen.getByText('A name that does not…').parentElement!)
    act(() => vi.advanceTimersByTime(499))
    expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
    act(() => vi.advanceTimersByTime(1))
    expect(screen.getByRole('tooltip')).toHaveTextContent(long)
    vi.useRealTimers()
  })

  it('tags show tooltips on keyboard focus', async () => {
    await renderPart(<TagList label="Names" tags={tags} />)
    await userEvent.tab()
    expect(await screen.findByRole('tooltip')).toHaveTextContent(long)
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('tooltip')).not.toBeInTheDocument()
  })

  it('tags are removed by a labeled button', async () => {
    const onRemove = vi.fn<(key: string) => void>()
    await renderPart(<TagList label="Names" tags={tags} onRemove={onRemove} />)
    await userEvent.tab()
    await userEvent.tab()
    expect(screen.getByRole('button', { name: `Remove ${long}` })).toHaveFocus()
    await userEvent.keyboard('{Enter}')
    expect(onRemove).toHaveBeenCalledExactlyOnceWith('b')
  })
})

it('truncates texts of more than twenty characters', () => {
  expect(truncateText('x'.repeat(20))).toBe('x'.repeat(20))
  expect(truncateText('x'.repeat(21))).toBe(`${'x'.repeat(20)}…`)
  expect(truncateText('abcdef', 3)).toBe('abc…')
  expect(truncateText('A name that does not fit into a tag')).toBe('A name that does not…')
})

it('truncation does not split graphemes', () => expect(truncateText('👩‍👩‍👧🇪🇸é!', 2)).toBe('👩‍👩‍👧🇪🇸…'))

it('returns a prefix that is never longer than the text', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 31, maxLength: 60 }),
      fc.integer({ min: 1, max: 30 }),
      (text, longest) => {
        const cut = truncateText(text, longest)
        expect(cut.endsWith('…') && text.startsWith(cut.slice(0, -1))).toBe(true)
        expect(cut.length).toBeLessThanOrEqual(longest + 1)
      },
    ),
  )
})

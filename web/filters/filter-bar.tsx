import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import { type Filter, type FilterState, isSet, keyOf } from './filter.ts'
import styles from './filter-bar.module.css'
import { FilterFields } from './filter-fields.tsx'

interface Props {
  filters: readonly Filter[]
  state: FilterState
  /** A step that Back undoes. */
  onChange(part: FilterState): void
  /** Typing, which Back skips. */
  onType(part: FilterState): void
  /** Accessible name of the bar. */
  label?: string
}

/** Filters of a screen. On a phone several of them are behind a button, except the search. */
export function FilterBar({ filters, label, ...handlers }: Props) {
  const { t } = useTranslation()
  const isSmall = useSmallScreen()
  const [isOpen, setOpen] = useState(false)
  const searches = filters.filter(({ kind }) => kind === 'search')
  const others = filters.filter(({ kind }) => kind !== 'search')
  const count = others.filter((filter) => isSet(filter, handlers.state)).length
  const isFolded = isSmall && others.length > 1
  return (
    <div className={styles['bar']} role="search" aria-label={label ?? t('map:page.filters')}>
      <FilterFields filters={searches} {...handlers} />
      {isFolded ? (
        <Button
          variant="default"
          className="only-screen"
          leftSection={<IconAdjustmentsHorizontal size={18} />}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          {count > 0 ? t('filters:set', { count }) : t('map:page.filters')}
        </Button>
      ) : null}
      {isFolded && !isOpen
        ? null
        : others.map((filter) => (
            <div
              key={keyOf(filter)}
              className={styles['cell']}
              data-kind={filter.kind}
              data-set={isSet(filter, handlers.state) || undefined}
            >
              <FilterFields filters={[filter]} {...handlers} />
            </div>
          ))}
    </div>
  )
}

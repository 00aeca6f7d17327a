import { Button } from '@mantine/core'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSmallScreen } from '#web/kit/use-small-screen.ts'
import { type Filter, type FilterState, isSet, getFilterKey } from './filter.ts'
import styles from './filter-bar.module.css'
import { FilterFields } from './filter-fields.tsx'

interface Props {
  filters: readonly Filter[]
  state: FilterState
  /** Changes the URL with a history entry. */
  onChange(changes: FilterState): void
  /** Changes the URL without a history entry, for typed text. */
  onType(changes: FilterState): void
  /** Accessible name of the bar. */
  label?: string
}

/** Filters of a screen. On phones, they are behind a button if there are several, except the search. */
export function FilterBar({ filters, label, ...handlers }: Props) {
  const { t } = useTranslation()
  const isSmall = useSmallScreen()
  const [isOpen, setIsOpen] = useState(false)
  const searchFilters = filters.filter(({ kind }) => kind === 'search')
  const otherFilters = filters.filter(({ kind }) => kind !== 'search')
  const setCount = otherFilters.filter((filter) => isSet(filter, handlers.state)).length
  const isCollapsible = isSmall && otherFilters.length > 1
  return (
    <div className={styles['bar']} role="search" aria-label={label ?? t('map:page.filters')}>
      <FilterFields filters={searchFilters} {...handlers} />
      {isCollapsible ? (
        <Button
          variant="default"
          className="only-screen"
          leftSection={<IconAdjustmentsHorizontal size={18} />}
          aria-expanded={isOpen}
          onClick={() => setIsOpen(!isOpen)}
        >
          {setCount > 0 ? t('filters:set', { count: setCount }) : t('map:page.filters')}
        </Button>
      ) : null}
      {isCollapsible && !isOpen
        ? null
        : otherFilters.map((filter) => (
            <div
              key={getFilterKey(filter)}
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

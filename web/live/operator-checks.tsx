import { useTranslation } from 'react-i18next'
import type { Operator } from '#contract/operators.ts'
import { operatorName } from '#contract/operators.ts'
import { CheckGroup } from './check-group.tsx'
import { CountCheck } from './count-check.tsx'

interface Props {
  /** Undefined: all operators. */
  selected: readonly string[] | undefined
  operators: readonly Operator[]
  /** Colors by slug, of operators with vehicles. */
  colors: ReadonlyMap<string, string>
  /** Vehicles by slug. */
  counts: ReadonlyMap<string, number>
  /** Whether vehicles have the colors of their operators. */
  showsColors: boolean
  onChange: (selected: string[] | undefined) => void
}

/** A checkbox for each operator with vehicles, by name, and those selected before. */
export function OperatorChecks({ selected, operators, colors, counts, showsColors, onChange }: Props) {
  const { t } = useTranslation()
  const slugs = [...new Set([...colors.keys(), ...(selected ?? [])])].toSorted((a, b) =>
    operatorName(a, operators).localeCompare(operatorName(b, operators)),
  )
  const isSelected = (slug: string): boolean => !selected || selected.includes(slug)
  const toggle = (slug: string): void => {
    const selectedSlugs = slugs.filter((other) => (other === slug ? !isSelected(other) : isSelected(other)))
    // All operators are stored as undefined, so that new operators are included.
    onChange(selectedSlugs.length === slugs.length ? undefined : selectedSlugs)
  }
  if (slugs.length === 0) return null
  return (
    <CheckGroup
      label={t('live:operators.label')}
      shortcuts={[
        { text: t('live:operators.all'), isSelected: !selected, onSelect: () => onChange(undefined) },
        { text: t('live:operators.none'), isSelected: selected?.length === 0, onSelect: () => onChange([]) },
      ]}
    >
      {slugs.map((slug) => (
        <CountCheck
          key={slug}
          label={operatorName(slug, operators)}
          count={counts.get(slug) ?? 0}
          color={showsColors ? colors.get(slug) : undefined}
          isChecked={isSelected(slug)}
          onToggle={() => toggle(slug)}
        />
      ))}
    </CheckGroup>
  )
}

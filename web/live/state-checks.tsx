import { Checkbox, Stack, useComputedColorScheme } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type LiveState, liveStateNames } from '#contract/vehicles.ts'
import { CheckGroup } from './check-group.tsx'
import { stateColors } from './color-by.ts'
import { CountCheck } from './count-check.tsx'
import { type StateGroup, stateGroupNames, stateGroups, defaultStates } from './live-filters.ts'

interface Props {
  /** Absent for those in the public right of way. */
  selected: readonly LiveState[] | undefined
  counts: ReadonlyMap<LiveState, number>
  lostAfterHours: number
  /** Whether vehicles have the colors of their states. */
  showsColors: boolean
  onChange: (selected: LiveState[] | undefined) => void
}

/** The state filter, by group. States without vehicles are hidden unless they are selected. */
export function StateChecks({ selected, counts, lostAfterHours, showsColors, onChange }: Props) {
  const { t } = useTranslation()
  const scheme = useComputedColorScheme('light', { getInitialValueInEffect: false })
  const selectedStates = new Set<LiveState>(selected ?? defaultStates)
  const selectStates = (states: Iterable<LiveState>): void => onChange([...states])
  const toggle = (states: readonly LiveState[], isOn: boolean): void =>
    selectStates(
      liveStateNames.filter((state) => (states.includes(state) ? isOn : selectedStates.has(state))),
    )
  const colors = stateColors(scheme)
  const renderGroup = (name: StateGroup) => {
    const states: readonly LiveState[] = stateGroups[name]
    const shownStates = states.filter(
      (state) => (counts.get(state) ?? 0) > 0 || (selected?.includes(state) ?? false),
    )
    if (shownStates.length === 0) return null
    const selectedCount = shownStates.filter((state) => selectedStates.has(state)).length
    const renderCheck = (state: LiveState) => (
      <CountCheck
        key={state}
        label={t(`live:state.${state}`, { hours: lostAfterHours })}
        count={counts.get(state) ?? 0}
        color={showsColors ? colors[state] : undefined}
        isChecked={selectedStates.has(state)}
        onToggle={() => toggle([state], !selectedStates.has(state))}
      />
    )
    if (states.length === 1) return renderCheck(states[0]!)
    return (
      <div key={name}>
        <Checkbox
          size="sm"
          fw={600}
          label={t(`live:group.${name}`)}
          checked={selectedCount === shownStates.length}
          indeterminate={selectedCount > 0 && selectedCount < shownStates.length}
          onChange={() => toggle(states, selectedCount < shownStates.length)}
        />
        <Stack gap={6} mt={6} ml={20}>
          {shownStates.map(renderCheck)}
        </Stack>
      </div>
    )
  }
  return (
    <CheckGroup
      label={t('live:states.label')}
      shortcuts={[
        { text: t('live:states.usual'), isSelected: !selected, onSelect: () => onChange(undefined) },
        {
          text: t('live:states.all'),
          isSelected: selectedStates.size === liveStateNames.length,
          onSelect: () => selectStates(liveStateNames),
        },
      ]}
    >
      {stateGroupNames.map(renderGroup)}
    </CheckGroup>
  )
}

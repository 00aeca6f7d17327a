import { Group, MultiSelect } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { IssueStatus, IssueType } from '#contract/issues.ts'
import { formatInteger } from '#web/kit/format.ts'
import { getTypeName } from './issue-text.ts'
import styles from './types-field.module.css'

interface Props {
  /** Types with the numbers of issues that match the other filters. */
  types: readonly IssueType[]
  status: IssueStatus | undefined
  /** Service codes; none means all. */
  value: readonly string[]
  onChange: (value: string[] | undefined) => void
}

/** The filter by type, with the number of issues of each. */
export function TypesField({ types, status, value, onChange }: Props) {
  const { t } = useTranslation()
  const countIssues = ({ open, closed }: IssueType): number =>
    status === 'open' ? open : status === 'closed' ? closed : open + closed
  const counts = new Map(types.map((type) => [type.service_code, countIssues(type)]))
  const knownOptions = types
    .toSorted((a, b) => countIssues(b) - countIssues(a))
    .map((type) => ({ value: type.service_code, label: getTypeName(type) }))
  // Selected types without issues in the period.
  const unknownOptions = value
    .filter((code) => !counts.has(code))
    .map((code) => ({ value: code, label: code }))
  return (
    <MultiSelect
      label={t('issues:types.label')}
      placeholder={value.length === 0 ? t('issues:types.all') : ''}
      data={[...knownOptions, ...unknownOptions]}
      value={[...value]}
      searchable
      clearable
      limit={200}
      nothingFoundMessage={t('issues:types.none')}
      clearButtonProps={{ 'aria-label': t('issues:types.clear') }}
      onChange={(selected) => onChange(selected.length > 0 ? selected : undefined)}
      renderOption={({ option, checked }) => (
        <Group justify="space-between" wrap="nowrap" gap="sm" w="100%" fw={checked ? 600 : undefined}>
          <span className={styles['name']}>{option.label}</span>
          <span className={styles['count']}>{formatInteger(counts.get(option.value) ?? 0)}</span>
        </Group>
      )}
    />
  )
}

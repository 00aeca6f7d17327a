import { ActionIcon, Button, MultiSelect, Select, Text, TextInput } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import {
  cdsWeekdays,
  curbActivities,
  type CurbActivity,
  wellKnownPurposes,
  wellKnownUserClasses,
} from '#contract/cds.ts'
import type { CurbMapping, RateBand } from '#contract/curb-imports.ts'
import { formatWeekday } from '#web/kit/weekdays.ts'
import { formatActivity, formatUserClass, isoWeekday, formatPurpose } from '../rule-text.ts'
import styles from './imports.module.css'

interface Props {
  header: readonly string[]
  mapping: CurbMapping
  onChange: (mapping: CurbMapping) => void
}

/** Prices by time of day, columns with hours of other rules, and meanings of values in the uses column. */
export function MappingRules({ header, mapping, onChange }: Props) {
  const { t, i18n } = useTranslation()
  const columns = [...header]
  const weekdays = cdsWeekdays.map((day) => ({
    value: day,
    label: formatWeekday(isoWeekday(day), i18n.language, 'short'),
  }))
  return (
    <>
      <RuleList<RateBand>
        title={t('curb:imports.mapping.bands')}
        hint={t('curb:imports.mapping.bandsHint')}
        rows={mapping.bands}
        empty={{ days: ['mon'], rate: columns[0] ?? '', start: columns[0] ?? '', end: columns[0] ?? '' }}
        onChange={(bands) => onChange({ ...mapping, bands })}
      >
        {(band, change) => (
          <>
            <MultiSelect
              label={t('curb:imports.mapping.days')}
              data={weekdays}
              value={band.days}
              onChange={(days) => {
                const sortedDays = cdsWeekdays.filter((day) => days.includes(day))
                if (sortedDays.length) change({ ...band, days: sortedDays })
              }}
            />
            {(['rate', 'start', 'end'] as const).map((key) => (
              <Select
                key={key}
                label={t(`curb:imports.mapping.band.${key}`)}
                data={columns}
                value={band[key]}
                allowDeselect={false}
                searchable
                onChange={(value) => {
                  if (value !== null) change({ ...band, [key]: value })
                }}
              />
            ))}
          </>
        )}
      </RuleList>
      <RuleList
        title={t('curb:imports.mapping.hours')}
        hint={t('curb:imports.mapping.hoursHint')}
        rows={mapping.hours_columns}
        empty={{ column: columns[0] ?? '', activity: 'no stopping', user_classes: [], purposes: [] }}
        onChange={(hours_columns) => onChange({ ...mapping, hours_columns })}
      >
        {(hours, change) => (
          <>
            <Select
              label={t('curb:imports.mapping.hoursColumn')}
              data={columns}
              value={hours.column}
              allowDeselect={false}
              searchable
              onChange={(column) => {
                if (column !== null) change({ ...hours, column })
              }}
            />
            <RuleFields rule={hours} onChange={(rule) => change({ ...hours, ...rule })} />
          </>
        )}
      </RuleList>
      <RuleList
        title={t('curb:imports.mapping.uses')}
        hint={t('curb:imports.mapping.usesHint')}
        rows={mapping.uses}
        empty={{ value: '', activity: 'parking', user_classes: [], purposes: [] }}
        onChange={(uses) => onChange({ ...mapping, uses })}
      >
        {(use, change) => (
          <>
            <TextInput
              label={t('curb:imports.mapping.useValue')}
              value={use.value}
              onChange={(event) => change({ ...use, value: event.currentTarget.value })}
            />
            <RuleFields rule={use} onChange={(rule) => change({ ...use, ...rule })} />
          </>
        )}
      </RuleList>
    </>
  )
}

interface ListProps<Row> {
  title: string
  hint: string
  rows: readonly Row[]
  empty: Row
  onChange: (rows: Row[]) => void
  children: (row: Row, change: (row: Row) => void) => ReactNode
}

/** Rows of fields that can be added and removed. */
function RuleList<Row>({ title, hint, rows, empty, onChange, children }: ListProps<Row>) {
  const { t } = useTranslation()
  return (
    <fieldset className={styles['rules']}>
      <legend>{title}</legend>
      <Text size="sm" c="dimmed">
        {hint}
      </Text>
      {rows.map((row, index) => (
        // Rows have no id other than their position.
        <div key={index} className={styles['rule']}>
          {children(row, (next) => onChange(rows.with(index, next)))}
          <ActionIcon
            variant="subtle"
            color="gray"
            aria-label={t('curb:imports.mapping.remove', { row: index + 1, list: title })}
            onClick={() => onChange(rows.toSpliced(index, 1))}
          >
            <IconTrash size={16} />
          </ActionIcon>
        </div>
      ))}
      <Button
        size="compact-sm"
        variant="subtle"
        leftSection={<IconPlus size={16} />}
        onClick={() => onChange([...rows, empty])}
      >
        {t('curb:imports.mapping.add', { list: title })}
      </Button>
    </fieldset>
  )
}

interface Rule {
  activity: CurbActivity
  user_classes: string[]
  purposes: string[]
}

/** The activity of a rule, and the vehicles and purposes to which it applies. */
function RuleFields({ rule, onChange }: { rule: Rule; onChange: (rule: Rule) => void }) {
  const { t } = useTranslation()
  const { activity, user_classes, purposes } = rule
  const toOptions = (
    wellKnown: readonly string[],
    own: readonly string[],
    format: (name: string) => string,
  ) => [...new Set([...own, ...wellKnown])].map((value) => ({ value, label: format(value) }))
  return (
    <>
      <Select
        label={t('curb:imports.mapping.activity')}
        data={curbActivities.map((value) => ({ value, label: formatActivity(t, value) }))}
        value={activity}
        allowDeselect={false}
        onChange={(value) => {
          if (value !== null) onChange({ activity: value, user_classes, purposes })
        }}
      />
      <MultiSelect
        label={t('curb:imports.mapping.classes')}
        data={toOptions(wellKnownUserClasses, user_classes, (name) => formatUserClass(t, name))}
        value={user_classes}
        searchable
        onChange={(value) => onChange({ activity, user_classes: value, purposes })}
      />
      <MultiSelect
        label={t('curb:imports.mapping.purposes')}
        data={toOptions(wellKnownPurposes, purposes, (name) => formatPurpose(t, name))}
        value={purposes}
        searchable
        onChange={(value) => onChange({ activity, user_classes, purposes: value })}
      />
    </>
  )
}

import { Accordion, Checkbox, Group, Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { RawDataTable } from '#contract/exports.ts'
import styles from './exports.module.css'

interface Props {
  table: RawDataTable
  /** Deselected columns. */
  without: readonly string[]
  onChange: (without: string[]) => void
}

/** The columns of a table with their descriptions; all are selected by default. */
export function ColumnChoice({ table, without, onChange }: Props) {
  const { t } = useTranslation()
  const names = table.columns.map(({ name }) => name)
  const selectedNames = names.filter((name) => !without.includes(name))
  return (
    <Accordion variant="contained" order={2}>
      <Accordion.Item value="columns">
        <Accordion.Control>
          {t('exports:columns.chosen', { selected: selectedNames.length, all: names.length })}
        </Accordion.Control>
        <Accordion.Panel>
          <Group gap="sm" mb="md">
            <Button variant="default" size="xs" onClick={() => onChange([])}>
              {t('exports:columns.all')}
            </Button>
            <Button variant="default" size="xs" onClick={() => onChange(names)}>
              {t('exports:columns.none')}
            </Button>
          </Group>
          <div className={styles['columns']} role="group" aria-label={t('exports:columns.label')}>
            {table.columns.map(({ name, unit }) => (
              <Checkbox
                key={name}
                label={unit ? `${name} (${unit})` : name}
                description={t(`exports:column.${table.table}.${name}`)}
                checked={!without.includes(name)}
                onChange={({ currentTarget: { checked } }) =>
                  onChange(checked ? without.filter((other) => other !== name) : [...without, name])
                }
              />
            ))}
          </div>
        </Accordion.Panel>
      </Accordion.Item>
    </Accordion>
  )
}

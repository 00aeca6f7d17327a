import { Button, Popover, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { HealthFigure } from '#contract/health.ts'
import { type HealthFigureName, healthFigures } from '#contract/health-figures.ts'
import { Table } from '#web/kit/table/table.tsx'
import { column, type TableColumn } from '#web/kit/table/table-column.ts'
import styles from './figure-table.module.css'
import { getCompositionTexts, formatFigureValue } from './figure-text.ts'

/** The name of a figure. A press explains its meaning, its method and its input. */
function FigureName({ figure, composition }: { figure: HealthFigureName; composition: string }) {
  const { t } = useTranslation()
  const name = t(`health:figures.${figure}.name`)
  const facts = [
    [t('health:figure.made'), composition],
    [t('health:figure.unit'), t(`health:figures.${figure}.unit`)],
    [
      t('health:figure.method'),
      t('health:figure.version', {
        method: t(`health:figures.${figure}.method`),
        version: healthFigures[figure].methodVersion,
      }),
    ],
  ] as const
  return (
    <Popover width={320} position="bottom-start" withArrow trapFocus returnFocus shadow="md">
      <Popover.Target>
        <UnstyledButton className={styles['name'] ?? ''}>{name}</UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Text size="sm" tabIndex={-1} data-autofocus className={styles['definition'] ?? ''}>
          {t(`health:figures.${figure}.definition`)}
        </Text>
        <dl className={styles['facts']}>
          {facts.map(([term, text]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd>{text}</dd>
            </div>
          ))}
        </dl>
      </Popover.Dropdown>
    </Popover>
  )
}

interface Props {
  label: string
  figures: readonly HealthFigure[]
  selected: HealthFigureName | undefined
  onRows: (figure: HealthFigureName) => void
}

/** All figures of an operator, each with its definition and a link to its rows. */
export function FigureTable({ label, figures, selected, onRows }: Props) {
  const { t } = useTranslation()
  const getName = ({ figure }: HealthFigure): string => t(`health:figures.${figure}.name`)
  const formatComposition = (figure: HealthFigure): string => getCompositionTexts(t, figure).join(' · ')
  const columns: TableColumn<HealthFigure>[] = [
    column('name', t('health:figure.name'), getName, {
      width: 160,
      renderCell: (row) => <FigureName figure={row.figure} composition={formatComposition(row)} />,
    }),
    column('value', t('health:figure.value'), (row) => formatFigureValue(t, row), {
      width: 90,
      // The figures have different units.
      canSort: false,
      isNumber: true,
    }),
    column('made', t('health:figure.made'), formatComposition, { canSort: false, width: 170 }),
    column('rows', t('health:figure.rows'), () => null, {
      isActions: true,
      width: 120,
      renderCell: (row) => (
        <Button
          size="compact-xs"
          mt={3}
          variant="subtle"
          aria-pressed={row.figure === selected}
          aria-label={t('health:figure.open', { name: getName(row) })}
          onClick={() => onRows(row.figure)}
        >
          {t('health:figure.see')}
        </Button>
      ),
    }),
  ]
  return (
    <Table
      label={label}
      rows={figures}
      columns={columns}
      rowKey={({ figure }) => figure}
      selected={selected}
      maxHeight="none"
      isWrapped
      hasTools={false}
    />
  )
}

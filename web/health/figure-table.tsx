import { Button, Popover, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { HealthFigure } from '#contract/health.ts'
import { type HealthFigureName, healthFigures } from '#contract/health-figures.ts'
import styles from './figure-table.module.css'
import { madeOf, valueText } from './figure-text.ts'

/** The name of a figure; a click tells what it says, how it is made and of what. */
function FigureName({ figure, made }: { figure: HealthFigureName; made: string }) {
  const { t } = useTranslation()
  const name = t(`health:figures.${figure}.name`)
  const facts = [
    [t('health:figure.made'), made],
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
  chosen: HealthFigureName | undefined
  onRows: (figure: HealthFigureName) => void
}

/** All figures of an operator, each with its definition and the way to its rows. */
export function FigureTable({ label, figures, chosen, onRows }: Props) {
  const { t } = useTranslation()
  return (
    <table className={styles['table']} aria-label={label}>
      <thead>
        <tr>
          <th scope="col">{t('health:figure.name')}</th>
          <th scope="col" data-number>
            {t('health:figure.value')}
          </th>
          <th scope="col" className={styles['made']}>
            {t('health:figure.made')}
          </th>
          <th scope="col">
            <span className="only-read">{t('health:figure.rows')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {figures.map((figure) => (
          <tr key={figure.figure} data-chosen={figure.figure === chosen || undefined}>
            <th scope="row">
              <FigureName figure={figure.figure} made={madeOf(t, figure).join(' · ')} />
            </th>
            <td data-number>{valueText(t, figure)}</td>
            <td className={styles['made']}>{madeOf(t, figure).join(' · ')}</td>
            <td>
              <Button
                size="compact-xs"
                variant="subtle"
                aria-pressed={figure.figure === chosen}
                aria-label={t('health:figure.open', { name: t(`health:figures.${figure.figure}.name`) })}
                onClick={() => onRows(figure.figure)}
              >
                {t('health:figure.rows')}
              </Button>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

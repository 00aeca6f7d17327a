import { Button } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { HealthFigure } from '#contract/health.ts'
import type { HealthFigureName } from '#contract/health-figures.ts'
import { FigureName } from './figure-name.tsx'
import styles from './figure-table.module.css'
import { madeOf, valueText } from './figure-text.ts'

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

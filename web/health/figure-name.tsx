import { Popover, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { type HealthFigureName, healthFigures } from '#contract/health-figures.ts'
import styles from './figure-table.module.css'

/** The name of a figure; a click tells what it says, how it is made and of what. */
export function FigureName({ figure, made }: { figure: HealthFigureName; made: string }) {
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

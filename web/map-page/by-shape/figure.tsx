import { Popover, Text, UnstyledButton } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import { formatNumber, formatInteger } from '#web/kit/format.ts'
import type { Explanation } from './evaluation.ts'
import styles from './figure.module.css'

interface Props {
  label: string
  value: string
  explanation: Explanation
  /** How the areas add up to the total; null if they do not. */
  sum: string | null
}

/** A number that is explained when clicked: definition, method and input. */
export function Figure({ label, value, explanation, sum }: Props) {
  const { t } = useTranslation()
  const { definition, ways, method, period, days, milliseconds, from, buffer } = explanation
  const facts = [
    [
      t('evaluation:figure.period'),
      `${period} · ${t('evaluation:figure.days', { count: days, shown: formatInteger(days) })}`,
    ],
    ...(sum === null ? [] : [[t('evaluation:sum.label'), sum]]),
    ...(ways
      ? [
          [
            t('evaluation:knownRoutes.label'),
            t('evaluation:knownRoutes.known', {
              known: formatInteger(ways.trips_with_way),
              all: formatInteger(ways.trips_with_way + ways.trips_without_way),
            }),
          ],
        ]
      : []),
    [
      t('evaluation:figure.method'),
      t('evaluation:figure.version', { name: method.name, version: method.version }),
    ],
    ...(buffer === undefined ? [] : [[t('evaluation:figure.buffer'), buffer]]),
    [t('evaluation:figure.time'), `${formatNumber(milliseconds)} ms · ${t(`evaluation:figure.${from}`)}`],
  ]
  return (
    <Popover width={300} position="left-end" withArrow trapFocus returnFocus shadow="md">
      <Popover.Target>
        <UnstyledButton className={styles['figure'] ?? ''}>
          <span>{label}</span>
          <span className={styles['value']}>{value}</span>
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('evaluation:figure.about', { label })} aria-labelledby={undefined}>
        <Text size="sm" tabIndex={-1} data-autofocus className={styles['definition'] ?? ''}>
          {definition}
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

import { Popover, Text, UnstyledButton } from '@mantine/core'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import styles from './parts.module.css'

interface Props {
  label: string
  value: ReactNode
  /** Content beside the value, such as the previous value. */
  beside?: ReactNode
  /** Meaning and method of the figure. */
  definition: string
  method: string
}

/** A figure that shows its explanation when pressed. */
export function ExplainedFigure({ label, value, beside, definition, method }: Props) {
  const { t } = useTranslation()
  return (
    <Popover width={320} position="bottom-start" withArrow trapFocus returnFocus shadow="md">
      <Popover.Target>
        <UnstyledButton className={styles['figure'] ?? ''}>
          <span className={styles['figureLabel']}>{label}</span>
          <span className={styles['figureValue']}>{value}</span>
          {beside ? <span className={styles['figureBeside']}>{beside}</span> : null}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown aria-label={t('evaluation:figure.about', { label })} aria-labelledby={undefined}>
        <Text size="sm" tabIndex={-1} data-autofocus className={styles['definition'] ?? ''}>
          {definition}
        </Text>
        <Text size="xs" c="dimmed" mt="xs">
          {method}
        </Text>
      </Popover.Dropdown>
    </Popover>
  )
}

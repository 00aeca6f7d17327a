import { Button, Group, NumberInput } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { maxBuffer } from '../map-search.ts'

interface Props {
  /** Metres that the layer offers. */
  offered: readonly number[]
  value: number
  onChange: (value: number) => void
}

/** Metres by which every shape grows: one of those offered or any that is typed. */
export function BufferField({ offered, value, onChange }: Props) {
  const { t } = useTranslation()
  const [typed, setTyped] = useState<number | string | null>(null)
  const take = (): void => {
    if (typed === null) return
    setTyped(null)
    onChange(Math.min(maxBuffer, Math.max(0, Math.round(Number(typed) || 0))))
  }
  const choices = [...new Set([0, ...offered])].toSorted((a, b) => a - b)
  return (
    <div>
      <NumberInput
        label={t('evaluation:buffer.label')}
        description={t('evaluation:buffer.hint')}
        suffix=" m"
        min={0}
        max={maxBuffer}
        step={10}
        allowDecimal={false}
        clampBehavior="blur"
        thousandSeparator=","
        value={typed ?? value}
        onChange={setTyped}
        onBlur={take}
        onKeyDown={(event) => {
          if (event.key === 'Enter') take()
        }}
      />
      {choices.length > 1 ? (
        <Group gap={4} mt={4}>
          {choices.map((metres) => (
            <Button
              key={metres}
              size="compact-xs"
              variant={metres === value ? 'light' : 'subtle'}
              aria-pressed={metres === value}
              onClick={() => {
                setTyped(null)
                onChange(metres)
              }}
            >
              {t('evaluation:metres', { count: metres })}
            </Button>
          ))}
        </Group>
      ) : null}
    </div>
  )
}

import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  label: string
  description?: string
  value: string
  /** Whether the copy button has the first focus of a dialog. */
  isFirst?: boolean
  /** Called when the text was copied, with the button or a shortcut. */
  onCopied?: () => void
}

/** A text with a copy button. If the browser denies copying, the text is selected for a shortcut. */
export function CopyField({ label, description, value, isFirst = false, onCopied }: Props) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [outcome, setOutcome] = useState<'copied' | 'manual' | null>(null)
  const copy = async () => {
    try {
      // `clipboard` is missing on pages served by plain HTTP.
      await navigator.clipboard.writeText(value)
      setOutcome('copied')
      onCopied?.()
    } catch {
      input.current?.select()
      setOutcome('manual')
    }
  }
  return (
    <div>
      <Group gap="sm" align="flex-end" wrap="nowrap">
        <TextInput
          ref={input}
          style={{ flex: 1, minWidth: 0 }}
          label={label}
          description={description}
          value={value}
          readOnly
          onFocus={(event) => event.currentTarget.select()}
          onCopy={onCopied}
        />
        <Button
          variant="default"
          data-autofocus={isFirst || undefined}
          aria-label={t('kit:copy.of', { label })}
          leftSection={outcome === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => void copy()}
        >
          {t('kit:copy.copy')}
        </Button>
      </Group>
      <Text role="status" size="sm" mt="xs" c="dimmed">
        {outcome ? t(`kit:copy.${outcome}`) : null}
      </Text>
    </div>
  )
}

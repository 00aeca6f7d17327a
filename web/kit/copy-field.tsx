import { Button, Group, Text, TextInput } from '@mantine/core'
import { IconCheck, IconCopy } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'

interface Props {
  label: string
  description?: string
  value: string
}

/** A text to be taken elsewhere. Where the browser does not let it be copied, it is selected for the keys that do. */
export function CopyField({ label, description, value }: Props) {
  const { t } = useTranslation()
  const input = useRef<HTMLInputElement>(null)
  const [told, setTold] = useState<'copied' | 'byHand' | null>(null)

  const copy = async () => {
    try {
      // Not there on pages that came by plain HTTP.
      await navigator.clipboard.writeText(value)
      setTold('copied')
    } catch {
      input.current?.select()
      setTold('byHand')
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
        />
        <Button
          variant="default"
          aria-label={t('kit:copy.of', { label })}
          leftSection={told === 'copied' ? <IconCheck size={16} /> : <IconCopy size={16} />}
          onClick={() => void copy()}
        >
          {t('kit:copy.copy')}
        </Button>
      </Group>
      <Text role="status" size="sm" mt="xs" c="dimmed">
        {told ? t(`kit:copy.${told}`) : null}
      </Text>
    </div>
  )
}

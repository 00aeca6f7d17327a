import { Button, Group, Input, Stack } from '@mantine/core'
import type { ReactNode } from 'react'

interface Props {
  label: string
  /** Shortcuts that select several checkboxes at once. */
  shortcuts: readonly { text: string; isSelected: boolean; onSelect: () => void }[]
  children: ReactNode
}

/** A group of checkboxes, with shortcuts for several of them. */
export function CheckGroup({ label, shortcuts, children }: Props) {
  return (
    <div role="group" aria-label={label}>
      <Group justify="space-between" wrap="nowrap" mb={4}>
        <Input.Label component="div" aria-hidden="true">
          {label}
        </Input.Label>
        <Group gap={2} wrap="nowrap">
          {shortcuts.map(({ text, isSelected, onSelect: choose }) => (
            <Button
              key={text}
              size="compact-xs"
              variant={isSelected ? 'light' : 'subtle'}
              aria-pressed={isSelected}
              aria-label={`${label}: ${text}`}
              onClick={choose}
            >
              {text}
            </Button>
          ))}
        </Group>
      </Group>
      <Stack gap={4}>{children}</Stack>
    </div>
  )
}

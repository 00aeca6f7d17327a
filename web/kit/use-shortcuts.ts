import { useHotkeys } from '@mantine/hooks'

type Shortcut = readonly [key: string, act: (event: KeyboardEvent) => void]

const plainInputs = new Set(['checkbox', 'radio', 'range', 'button', 'submit', 'reset', 'color', 'file'])

/** Select boxes are read-only inputs. Letters select an option only while the list is open. */
const isClosedSelect = (input: HTMLInputElement): boolean =>
  input.readOnly && input.getAttribute('aria-expanded') === 'false'

/** Whether key presses in an element are text input. */
export const isTextEntry = (target: EventTarget | null): boolean =>
  target instanceof HTMLInputElement
    ? !plainInputs.has(target.type) && !isClosedSelect(target)
    : target instanceof HTMLElement &&
      (target.isContentEditable ||
        target instanceof HTMLTextAreaElement ||
        target instanceof HTMLSelectElement)

const isModalOpen = (): boolean => document.querySelector('[aria-modal="true"]') !== null

/**
 * Registers keyboard shortcuts of a page. They work everywhere except in text fields: also on switches and checkboxes.
 * An open dialog suspends them, because they would move the focus to the page behind it.
 */
export const useShortcuts = (shortcuts: readonly Shortcut[]): void =>
  useHotkeys(
    shortcuts.map(([key, act]) => [
      key,
      (event) => {
        if (!isTextEntry(event.target) && !isModalOpen()) act(event)
      },
      { preventDefault: false },
    ]),
    [],
  )

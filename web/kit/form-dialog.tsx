import { Stack, type MantineSpacing } from '@mantine/core'
import { type ReactNode, useEffect, useRef } from 'react'
import { Dialog } from './dialog.tsx'
import { DialogFoot } from './dialog-foot.tsx'
import { FailedState, type DisplayableError } from './failed-state.tsx'

interface Props {
  title: string
  size?: number
  /** Space between the fields. */
  gap?: MantineSpacing
  /** Verb on the button. */
  action: string
  isPending: boolean
  /** Whether the button is disabled, because nothing has changed or something is missing. */
  isDisabled?: boolean
  error: DisplayableError | null
  errorTitle: string
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** Selector of focusable fields. */
const fieldSelector = ':is(input:not([type=hidden]), textarea, select):not(:disabled)'

/** Focuses the first field, or the marked element, of a dialog instead of its close button (the default). */
function markFirstField(form: HTMLFormElement): void {
  if (!form.querySelector('[data-autofocus]'))
    form.querySelector(fieldSelector)?.setAttribute('data-autofocus', 'true')
}

/** A form in a dialog: fields, the error of the last attempt, and the buttons. */
export function FormDialog({
  title,
  size,
  gap = 'md',
  action,
  isPending,
  isDisabled,
  error,
  errorTitle,
  onSubmit,
  onClose,
  children,
}: Props) {
  const form = useRef<HTMLFormElement>(null)
  // The submit button loses the focus while it is disabled. After a failure, the first invalid field gets it.
  useEffect(() => {
    if (error)
      (
        form.current?.querySelector<HTMLElement>('[aria-invalid="true"]') ??
        form.current?.querySelector<HTMLElement>('[type=submit]')
      )?.focus()
  }, [error])
  return (
    <Dialog title={title} {...(size === undefined ? {} : { size })} onClose={onClose}>
      <form
        ref={(element) => {
          form.current = element
          if (element) markFirstField(element)
        }}
        onSubmit={(event) => {
          event.preventDefault()
          onSubmit()
        }}
      >
        <Stack gap={gap}>
          {children}
          {error ? <FailedState error={error} title={errorTitle} /> : null}
        </Stack>
        <DialogFoot
          action={action}
          isPending={isPending}
          {...(isDisabled === undefined ? {} : { isDisabled })}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  )
}

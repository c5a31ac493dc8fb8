import type { Setting } from '@recado/contract/settings'

/** `isConfirmed`: the event of this choice has arrived. `latest`: the server's latest value of the option. */
type PendingSetting = { value: string; isConfirmed: boolean; latest: Setting }

/**
 * Choices that the server has not confirmed yet. They are shown until then, even when events about earlier choices
 * arrive.
 */
export function createPendingSettings() {
  const pending = new Map<string, PendingSetting>()
  return {
    /**
     * Receives an event. Returns true while the option is being changed here: the event is applied at the end, if it is
     * newer.
     */
    receive(setting: Setting): boolean {
      const choice = pending.get(setting.key)
      if (!choice) return false
      choice.isConfirmed ||= setting.value === choice.value
      choice.latest = setting
      return true
    },
    begin(key: string, value: string, before: Setting) {
      const choice: PendingSetting = { value, isConfirmed: false, latest: before }
      pending.set(key, choice)
      return {
        /** Ends a change. A missing answer means that the choice was refused. The last of several choices is used. */
        end(show: (setting: Setting) => void, answer?: Setting): void {
          if (pending.get(key) !== choice) return
          pending.delete(key)
          show(answer && !choice.isConfirmed ? answer : choice.latest)
        },
      }
    },
  }
}

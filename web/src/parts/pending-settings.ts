import type { Setting } from '@recado/contract/settings'

/** `own`: the word of this very choice has come. `latest`: what the server said last of the option. */
type PendingSetting = { value: string; own: boolean; latest: Setting }

/** What was chosen here and is not answered yet. It shows until then, whatever is told of others' choices before it. */
export function createPendingSettings() {
  const under = new Map<string, PendingSetting>()
  return {
    /** True where the option is being chosen here: what is heard of it then counts in the end, if it is newer. */
    hear(setting: Setting): boolean {
      const choice = under.get(setting.key)
      if (!choice) return false
      choice.own ||= setting.value === choice.value
      choice.latest = setting
      return true
    },
    begin(key: string, value: string, before: Setting) {
      const choice: PendingSetting = { value, own: false, latest: before }
      under.set(key, choice)
      return {
        /** Without an answer it was refused. The last choice of several decides. */
        end(show: (setting: Setting) => void, answer?: Setting): void {
          if (under.get(key) !== choice) return
          under.delete(key)
          show(answer && !choice.own ? answer : choice.latest)
        },
      }
    },
  }
}

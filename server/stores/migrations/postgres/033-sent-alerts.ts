/**
 * Plainer names: the recipient of a sent alert, the incidents that were notified, and the closing times of 311
 * issues that were reported.
 */
export const schema = {
  name: '033-sent-alerts',
  sql: `
alter table alert_told rename to alert_sent;
alter table alert_sent rename column told_to to recipient_key;
alter table incident rename column told to notified;
alter table issue rename column told_closed_time to reported_closed_time;
`,
}

import { type PublishedApi, readPublished } from '../google/published-api.ts'

/**
 * Google's published description of these operations of Gmail v1: query parameters, and reply members that `fields` may
 * select. Source: https://www.googleapis.com/discovery/v1/apis/gmail/v1/rest, revision 20260727.
 */
export const PUBLISHED: PublishedApi = readPublished({
  standard:
    '$.xgafv access_token alt callback fields key oauth_token prettyPrint:boolean quotaUser uploadType upload_protocol',
  operations: {
    'gmail.users.getProfile': { query: '', reply: 'Profile' },
    'gmail.users.messages.list': {
      query: 'includeSpamTrash:boolean labelIds maxResults:integer pageToken q',
      reply: 'ListMessagesResponse'
    },
    'gmail.users.messages.get': { query: 'format metadataHeaders', reply: 'Message' },
    'gmail.users.messages.attachments.get': { query: '', reply: 'MessagePartBody' },
    'gmail.users.threads.list': {
      query: 'includeSpamTrash:boolean labelIds maxResults:integer pageToken q',
      reply: 'ListThreadsResponse'
    },
    'gmail.users.threads.get': { query: 'format metadataHeaders', reply: 'Thread' },
    'gmail.users.history.list': {
      query: 'historyTypes labelId maxResults:integer pageToken startHistoryId',
      reply: 'ListHistoryResponse'
    },
    'gmail.users.labels.list': { query: '', reply: 'ListLabelsResponse' },
    'gmail.users.labels.get': { query: '', reply: 'Label' }
  },
  schemas: {
    ClassificationLabelFieldValue: 'fieldId selection',
    ClassificationLabelValue: 'fields:ClassificationLabelFieldValue labelId',
    History: `
    id labelsAdded:HistoryLabelAdded labelsRemoved:HistoryLabelRemoved messages:Message
    messagesAdded:HistoryMessageAdded messagesDeleted:HistoryMessageDeleted
    `,
    HistoryLabelAdded: 'labelIds message:Message',
    HistoryLabelRemoved: 'labelIds message:Message',
    HistoryMessageAdded: 'message:Message',
    HistoryMessageDeleted: 'message:Message',
    Label: `
    color:LabelColor id labelListVisibility messageListVisibility messagesTotal messagesUnread name
    threadsTotal threadsUnread type
    `,
    LabelColor: 'backgroundColor textColor',
    ListHistoryResponse: 'history:History historyId nextPageToken',
    ListLabelsResponse: 'labels:Label',
    ListMessagesResponse: 'messages:Message nextPageToken resultSizeEstimate',
    ListThreadsResponse: 'nextPageToken resultSizeEstimate threads:Thread',
    Message: `
    classificationLabelValues:ClassificationLabelValue historyId id internalDate labelIds payload:MessagePart
    raw sizeEstimate snippet threadId
    `,
    MessagePart: 'body:MessagePartBody filename headers:MessagePartHeader mimeType partId parts:MessagePart',
    MessagePartBody: 'attachmentId data size',
    MessagePartHeader: 'name value',
    Profile: 'emailAddress historyId messagesTotal threadsTotal',
    Thread: 'historyId id messages:Message snippet'
  }
})
